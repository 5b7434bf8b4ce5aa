import { All, Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { applicationSchema } from '../contract/application.ts';
import { RESUME_MEDIA_TYPES } from '../contract/limits.ts';
import { messages } from '../contract/messages.ts';
import { identifyDocument, UnsuitableDocumentError } from '../documents/identify-document.ts';
import { AnswerService } from './answer.service.ts';
import { safeFileName } from './file-name.ts';
import { HttpError, toHttpError } from './http-error.ts';
import { IntakeService } from './intake.service.ts';
import { ResumeUpload, type ReceivedFile } from './resume-upload.service.ts';
import { contextOf } from './submission.middleware.ts';
import { idempotencyKeyOf, invalidFields, senderOf, validate } from './submission-request.ts';

/** `POST /api/resume`: multipart, with and without JavaScript. */
@Controller('api/resume')
export class ResumeController {
  constructor(
    private readonly upload: ResumeUpload,
    private readonly intake: IntakeService,
    private readonly answers: AnswerService,
  ) {}

  @Post()
  async submit(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { requestId, client } = contextOf(response);
    const upload = await this.upload.receive(request, response, client);
    try {
      const { fields, file, extension } = await checked(request.body, upload);
      const { path: uploadPath, originalname, size, sha256 } = file;
      const result = await this.intake.submit({
        form: 'application',
        fields,
        resume: {
          name: safeFileName(originalname, extension),
          mediaType: RESUME_MEDIA_TYPES[extension],
          size,
          sha256,
        },
        uploadPath,
        idempotencyKey: idempotencyKeyOf(request),
        requestId,
        sender: senderOf(request, client),
      });
      this.answers.accepted(request, response, 'application', result);
    } finally {
      if (upload) await this.upload.discard(upload);
    }
  }

  @All()
  refuseMethod(): never {
    throw HttpError.method('POST');
  }
}

/**
 * Checks the fields and the file, and names what is wrong with both, so that a visitor without a script corrects
 * everything at once.
 *
 * @throws HttpError
 */
async function checked(body: unknown, file: ReceivedFile | undefined) {
  const { fields, errors } = validate(applicationSchema, body);
  try {
    if (!file) throw HttpError.invalid('Please check the form.', { resume: [messages.required] });
    if (file.tooLarge) throw new UnsuitableDocumentError(messages.resumeTooLarge);
    const extension = await identifyDocument(file.path, file.originalname, file.size);
    if (fields) return { fields, file, extension };
  } catch (error) {
    const refusal = toHttpError(error);
    throw errors && refusal.errors ? invalidFields({ ...errors, ...refusal.errors }) : refusal;
  }
  throw invalidFields(errors);
}
