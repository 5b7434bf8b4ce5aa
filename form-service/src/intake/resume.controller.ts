import { All, Body, Controller, Post, Req, Res, UploadedFile, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import { applicationSchema, type Application } from '../contract/application.ts';
import { RESUME_MEDIA_TYPES } from '../contract/limits.ts';
import { messages } from '../contract/messages.ts';
import { identifyDocument, UnsuitableDocumentError, type Extension } from '../documents/identify-document.ts';
import { logEntryOf } from './access-log.middleware.ts';
import { senderOf } from '../spam/sender.ts';
import { HttpError } from './http-error.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { IntakeService } from './intake.service.ts';
import { ResponseService } from './response.service.ts';
import { safeFileName } from './upload/file-name.ts';
import { resumeError } from './upload/resume-error.ts';
import type { ReceivedFile } from './upload/upload-storage.ts';
import { UploadInterceptor } from './upload/upload.interceptor.ts';
import { validationPipe } from './validation.pipe.ts';

type UploadedResume = Express.Multer.File & ReceivedFile;

/** `POST /api/resume`: multipart, with and without JavaScript. */
@Controller('api/resume')
export class ResumeController {
  constructor(
    private readonly intake: IntakeService,
    private readonly responses: ResponseService,
  ) {}

  @Post()
  @UseInterceptors(UploadInterceptor)
  async submit(
    @Body() body: unknown,
    @UploadedFile() upload: UploadedResume | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const [fields, { upload: file, extension }] = await bothChecked(checkedFields(body), checkedFile(upload));
    const result = await this.intake.submit({
      form: 'application',
      fields,
      resume: {
        name: safeFileName(file.originalname, extension),
        mediaType: RESUME_MEDIA_TYPES[extension],
        size: file.size,
        sha256: file.sha256,
      },
      uploadPath: file.path,
      idempotencyKey: idempotencyKeyOf(request),
      requestId: logEntryOf(response).requestId,
      sender: senderOf(request),
    });
    this.responses.accepted(request, response, 'application', result);
  }

  @All()
  refuseMethod(): never {
    throw HttpError.method('POST');
  }
}

async function checkedFields(body: unknown): Promise<Application> {
  return (await validationPipe.transform(body, { type: 'body', schema: applicationSchema })) as Application;
}

async function checkedFile(
  upload: UploadedResume | undefined,
): Promise<{ upload: UploadedResume; extension: Extension }> {
  if (!upload) throw HttpError.invalid('Please check the form.', { resume: [messages.required] });
  if (upload.tooLarge) throw resumeError(messages.resumeTooLarge);
  try {
    return { upload, extension: await identifyDocument(upload.path, upload.originalname, upload.size) };
  } catch (error) {
    throw error instanceof UnsuitableDocumentError ? resumeError(error.message) : error;
  }
}

/**
 * Runs two checks and collects the errors of both, so that a visitor without a script corrects everything at once.
 *
 * @throws HttpError 422 with the errors of both; or what one of them alone threw; or a failure that concerns no field
 */
async function bothChecked<Fields, File>(fields: Promise<Fields>, file: Promise<File>): Promise<[Fields, File]> {
  const [ofFields, ofFile] = await Promise.allSettled([fields, file]);
  if (ofFields.status === 'fulfilled' && ofFile.status === 'fulfilled') return [ofFields.value, ofFile.value];
  const errors = [ofFields, ofFile].flatMap((check) => (check.status === 'rejected' ? [check.reason as unknown] : []));
  const ofAField = errors.filter((error) => error instanceof HttpError && error.errors !== undefined) as HttpError[];
  if (errors.length === 1) throw errors[0];
  if (ofAField.length < errors.length) throw errors.find((error) => !ofAField.includes(error as HttpError));
  throw HttpError.invalid(ofAField[0]?.message ?? '', Object.assign({}, ...ofAField.map((error) => error.errors)));
}
