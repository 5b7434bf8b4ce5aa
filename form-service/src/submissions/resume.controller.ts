import { All, Body, Controller, Inject, Post, Req, Res, UploadedFile, UseInterceptors } from '@nestjs/common';
import type { Request, Response } from 'express';
import { applicationSchema, type Application } from '../contract/application.ts';
import { RESUME_MEDIA_TYPES } from '../contract/limits.ts';
import { messages } from '../contract/messages.ts';
import { identifyDocument, UnsuitableDocumentError, type Extension } from '../documents/identify-document.ts';
import { AnswerWriter } from './answers/answer-writer.ts';
import { checkedTogether } from './checked-together.ts';
import { validationPipe } from './http/validation.pipe.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { Refusal } from './refusal.ts';
import { traceOf } from './request-trace.ts';
import { senderOf } from './screening/sender.ts';
import { SubmissionIntake } from './submission-intake.ts';
import { safeFileName } from './uploads/file-name.ts';
import { resumeRefusal } from './uploads/resume-refusal.ts';
import { ResumeUploadInterceptor } from './uploads/resume-upload.interceptor.ts';
import type { ReceivedFile } from './uploads/upload-storage.ts';

type UploadedResume = Express.Multer.File & ReceivedFile;

/** `POST /api/resume` (spec 7). */
@Controller('api/resume')
export class ResumeController {
  constructor(
    @Inject(SubmissionIntake) private readonly intake: SubmissionIntake,
    @Inject(AnswerWriter) private readonly answers: AnswerWriter,
  ) {}

  @Post()
  @UseInterceptors(ResumeUploadInterceptor)
  async submit(
    @Body() body: unknown,
    @UploadedFile() upload: UploadedResume | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const [fields, { upload: file, extension }] = await checkedTogether(checkedFields(body), checkedFile(upload));
    const receipt = await this.intake.accept({
      form: 'application',
      fields,
      resume: {
        name: safeFileName(file.originalname, extension),
        mediaType: RESUME_MEDIA_TYPES[extension],
        size: file.size,
        sha256: file.sha256,
        // What HR should know is found out before the file is mailed, while nobody waits for an answer.
        warnings: [],
      },
      uploadPath: file.path,
      idempotencyKey: idempotencyKeyOf(request),
      requestId: traceOf(response).requestId,
      sender: senderOf(request),
    });
    this.answers.accepted(request, response, 'application', receipt);
  }

  @All()
  refuse(): never {
    throw Refusal.method('POST');
  }
}

async function checkedFields(body: unknown): Promise<Application> {
  return (await validationPipe.transform(body, { type: 'body', schema: applicationSchema })) as Application;
}

async function checkedFile(upload: UploadedResume | undefined): Promise<{ upload: UploadedResume; extension: Extension }> {
  if (!upload) throw Refusal.invalid('Please check the form.', { resume: [messages.required] });
  if (upload.tooLarge) throw resumeRefusal(messages.resumeTooLarge);
  try {
    return { upload, extension: await identifyDocument(upload.path, upload.originalname, upload.size) };
  } catch (error) {
    throw error instanceof UnsuitableDocumentError ? resumeRefusal(error.message) : error;
  }
}
