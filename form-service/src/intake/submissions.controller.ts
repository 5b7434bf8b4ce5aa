import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { All, Controller, Get, Header, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { applicationSchema } from '../contract/application.ts';
import { contactSchema } from '../contract/contact.ts';
import { messages } from '../contract/messages.ts';
import { RESUME_MEDIA_TYPES, type AcceptedAnswer, type FormTokenAnswer } from '../contract/protocol.ts';
import type { ResumeProblem } from '../contract/resume-file.ts';
import { identifyDocument, UnsuitableDocumentError } from '../documents/identify-document.ts';
import { FormTokenService } from '../spam/form-token.service.ts';
import { safeFileName } from './file-name.ts';
import { FORMS } from './forms.ts';
import { HttpError, type ErrorReason } from '../http/http-error.ts';
import { contextOf, formOf } from '../http/request-context.middleware.ts';
import { respond } from '../http/respond.ts';
import { sentPage } from './pages/pages.ts';
import { IntakeService, type SubmitCommand } from './intake.service.ts';
import { ResumeUpload, type ReceivedFile } from './resume-upload.service.ts';
import { fileError, idempotencyKeyOf, invalidFields, senderOf, validate } from './submission-request.ts';

/** HTTP endpoints of the two forms. */
@Controller('api')
export class SubmissionsController {
  constructor(
    private readonly upload: ResumeUpload,
    private readonly intake: IntakeService,
    private readonly tokens: FormTokenService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'COMPANY_NAME'>,
  ) {}

  /** Accepts an enquiry as JSON or as a plain HTML form (progressive enhancement). */
  @Post('contact')
  async submitEnquiry(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { fields, errors } = validate(contactSchema, request.body);
    if (errors) throw invalidFields(errors);
    await this.submit(request, response, { form: 'contact', fields });
  }

  /** Accepts an application as multipart/form-data, with and without JavaScript. */
  @Post('resume')
  async submitApplication(@Req() request: Request, @Res() response: Response): Promise<void> {
    const received = await this.upload.receive(request, response, contextOf(response).client);
    try {
      const { fields, file, extension } = await checkApplication(request.body, received);
      const { path: uploadPath, originalname, size } = file;
      const [name, mediaType] = [safeFileName(originalname, extension), RESUME_MEDIA_TYPES[extension]];
      const resume = { name, mediaType, size, sha256: await sha256Of(uploadPath) };
      await this.submit(request, response, { form: 'application', fields, resume, uploadPath });
    } finally {
      if (received) await this.upload.discard(received);
    }
  }

  /** Issues a form token when a visitor first touches the form. Stores and counts nothing. */
  @Get('form-token')
  @Header('Cache-Control', 'no-store')
  async issueToken(): Promise<FormTokenAnswer> {
    const token = await this.tokens.issue();
    return token === undefined ? {} : { token };
  }

  @All(['contact', 'resume', 'form-token'])
  refuseMethod(@Req() { originalUrl }: Request): never {
    const allow = formOf(originalUrl) ? 'POST' : 'GET, HEAD';
    throw new HttpError('method', `This address takes ${allow} only.`, { headers: { Allow: allow } });
  }

  private async submit(request: Request, response: Response, content: SubmitCommand['content']): Promise<void> {
    const { requestId, client } = contextOf(response);
    const sender = senderOf(request, client);
    const result = await this.intake.submit({ content, idempotencyKey: idempotencyKeyOf(request), requestId, sender });
    Object.assign(contextOf(response), result);
    const { reference } = result;
    const { sent: message, sentDetail } = FORMS[content.form];
    respond(request, response, 202, {
      json: () => JSON.stringify({ success: true, message, reference } satisfies AcceptedAnswer),
      text: () => `${message} ${sentDetail} ${messages.reference(reference)}`,
      html: () => sentPage(this.settings.COMPANY_NAME, FORMS[content.form], reference),
    });
  }
}

/** Error reasons of rejected files. Any other problem is `invalid`. */
const REASONS: { readonly [problem in ResumeProblem]?: ErrorReason } = {
  resumeTooLarge: 'too-large',
  resumeWrongType: 'wrong-type',
  resumeSaveAsPdf: 'wrong-type',
};

/** Returns the SHA-256 digest of a file in hex. */
async function sha256Of(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

/**
 * Checks the fields and the file, and reports the errors of both, so that a visitor without JavaScript can correct
 * everything at once.
 *
 * @throws HttpError
 */
async function checkApplication(body: unknown, file: ReceivedFile | undefined) {
  const { fields, errors } = validate(applicationSchema, body);
  if (!file) throw invalidFields({ ...errors, resume: [messages.required] });
  try {
    const extension = await identifyDocument(file.path, file.originalname, file.size);
    if (fields) return { fields, file, extension };
  } catch (error) {
    if (!(error instanceof UnsuitableDocumentError)) throw error;
    throw errors
      ? invalidFields({ ...errors, resume: [error.message] })
      : fileError(REASONS[error.problem] ?? 'invalid', error.message);
  }
  throw invalidFields(errors);
}
