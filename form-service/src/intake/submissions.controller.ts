import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { All, Controller, Get, Header, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { applicationSchema } from '../contract/application.ts';
import { contactSchema } from '../contract/contact.ts';
import { messages } from '../contract/messages.ts';
import { RESUME_MEDIA_TYPES, type FormTokenAnswer } from '../contract/protocol.ts';
import { identifyDocument } from '../documents/identify-document.ts';
import { FormTokenService } from '../spam/form-token.service.ts';
import { AnswerService } from './answer.service.ts';
import { safeFileName } from './file-name.ts';
import { formOf } from './forms.ts';
import { HttpError, toHttpError } from './http-error.ts';
import { IntakeService, type SubmitCommand } from './intake.service.ts';
import { ResumeUpload, type ReceivedFile } from './resume-upload.service.ts';
import { contextOf } from './submission.middleware.ts';
import { idempotencyKeyOf, invalidFields, senderOf, validate } from './submission-request.ts';

/** What the forms of the site call. */
@Controller('api')
export class SubmissionsController {
  constructor(
    private readonly upload: ResumeUpload,
    private readonly intake: IntakeService,
    private readonly answers: AnswerService,
    private readonly tokens: FormTokenService,
  ) {}

  /** An enquiry as JSON, or as a browser posts the plain HTML form. */
  @Post('contact')
  async submitEnquiry(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { fields, errors } = validate(contactSchema, request.body);
    if (errors) throw invalidFields(errors);
    await this.submit(request, response, { form: 'contact', fields });
  }

  /** An application: multipart, with and without JavaScript. */
  @Post('resume')
  async submitApplication(@Req() request: Request, @Res() response: Response): Promise<void> {
    const received = await this.upload.receive(request, response, contextOf(response).client);
    try {
      const { fields, file, extension } = await checked(request.body, received);
      const { path: uploadPath, originalname, size } = file;
      const [name, mediaType] = [safeFileName(originalname, extension), RESUME_MEDIA_TYPES[extension]];
      const resume = { name, mediaType, size, sha256: await sha256Of(uploadPath) };
      await this.submit(request, response, { form: 'application', fields, resume, uploadPath });
    } finally {
      if (received) await this.upload.discard(received);
    }
  }

  /** A form's script asks for a token when a visitor first touches the form. Nothing is stored or counted. */
  @Get('form-token')
  @Header('Cache-Control', 'no-store')
  async issueToken(): Promise<FormTokenAnswer> {
    const token = await this.tokens.issue();
    return token === undefined ? {} : { token };
  }

  @All(['contact', 'resume', 'form-token'])
  refuseMethod(@Req() { originalUrl }: Request): never {
    const allow = formOf(originalUrl) ? 'POST' : 'GET, HEAD';
    throw new HttpError('method', `This address takes ${allow} only.`, { allow });
  }

  private async submit(request: Request, response: Response, content: SubmitCommand['content']): Promise<void> {
    const { requestId, client } = contextOf(response);
    const sender = senderOf(request, client);
    const result = await this.intake.submit({ content, idempotencyKey: idempotencyKeyOf(request), requestId, sender });
    this.answers.accepted(request, response, content.form, result);
  }
}

/** The hex digest of a file. */
async function sha256Of(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
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
    if (!file) throw invalidFields({ resume: [messages.required] });
    const extension = await identifyDocument(file.path, file.originalname, file.size);
    if (fields) return { fields, file, extension };
  } catch (error) {
    const refusal = toHttpError(error);
    const ofFile = refusal.details.errors;
    throw errors && ofFile ? invalidFields({ ...errors, ...ofFile }) : refusal;
  }
  throw invalidFields(errors);
}
