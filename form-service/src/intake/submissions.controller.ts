import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { All, Controller, Get, Header, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../config/settings.ts';
import type { Form, FormField, FormValues } from '../contract/define-form.ts';
import { OPEN_FORMS } from '../contract/forms.ts';
import { messages } from '../contract/messages.ts';
import { RESUME_MEDIA_TYPES, type AcceptedAnswer, type FormTokenAnswer } from '../contract/protocol.ts';
import type { ResumeProblem } from '../contract/resume-file.ts';
import { identifyDocument, UnsuitableDocumentError } from '../files/identify-document.ts';
import { FormTokenService } from '../spam/form-token.service.ts';
import { safeFileName } from './file-name.ts';
import { HttpError, notFound, type ErrorReason } from '../http/http-error.ts';
import { contextOf, formAt } from '../http/request-context.middleware.ts';
import { respond } from '../http/respond.ts';
import { sentPage } from './pages/pages.ts';
import { IntakeService, type SubmitCommand } from './intake.service.ts';
import { ResumeUpload, type ReceivedFile } from './resume-upload.service.ts';
import { fileError, idempotencyKeyOf, invalidFields, senderOf, validate } from './submission-request.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('errors');

/** Paths of the forms below `/api`. */
const PATHS = OPEN_FORMS.map(({ path }) => path.replace(/^\/api\//, ''));

/** HTTP endpoints of the forms. */
@Controller('api')
export class SubmissionsController {
  constructor(
    private readonly upload: ResumeUpload,
    private readonly intake: IntakeService,
    private readonly tokens: FormTokenService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'COMPANY_NAME'>,
  ) {}

  /**
   * Accepts a submission: as JSON or as a plain HTML form (progressive enhancement), or as multipart/form-data if the form
   * has a file.
   */
  @Post(PATHS)
  async submit(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = formAt(request.originalUrl);
    if (!form) throw notFound();
    if (!form.file) return this.accept(request, response, form, { fields: fieldsIn(form, request.body) });
    const received = await this.upload.receive(request, response, form.file.name, contextOf(response).client);
    try {
      await this.accept(request, response, form, await contentOf(form, form.file, request.body, received));
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

  @All([...PATHS, 'form-token'])
  refuseMethod(@Req() { originalUrl }: Request): never {
    const allow = formAt(originalUrl) ? 'POST' : 'GET, HEAD';
    throw new HttpError('method', words.method({ methods: allow }), { headers: { Allow: allow } });
  }

  private async accept(
    request: Request,
    response: Response,
    form: Form,
    content: Omit<SubmitCommand['content'], 'form'>,
  ): Promise<void> {
    const { requestId, client } = contextOf(response);
    const result = await this.intake.submit({
      content: { form: form.kind, ...content },
      idempotencyKey: idempotencyKeyOf(request),
      requestId,
      sender: senderOf(request, client),
    });
    Object.assign(contextOf(response), result);
    const { reference } = result;
    const { sent: message, sentDetail } = form.words;
    respond(request, response, 202, {
      json: () => JSON.stringify({ success: true, message, reference } satisfies AcceptedAnswer),
      text: () => `${message} ${sentDetail} ${messages.reference({ reference })}`,
      html: () => sentPage(this.settings.COMPANY_NAME, form, reference),
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

/** @throws HttpError 422 */
function fieldsIn({ schema }: Form, body: unknown): FormValues {
  const { fields, errors } = validate(schema, body);
  if (errors) throw invalidFields(errors);
  return fields;
}

/**
 * Checks the fields and the file, and reports the errors of both, so that a visitor without JavaScript can correct
 * everything at once.
 *
 * @throws HttpError
 */
async function contentOf(
  form: Form,
  { name: field, required }: FormField,
  body: unknown,
  file: ReceivedFile | undefined,
): Promise<Omit<SubmitCommand['content'], 'form'>> {
  const { fields, errors } = validate(form.schema, body);
  if (!file && required) throw invalidFields({ ...errors, [field]: [messages.required] });
  if (!file) return { fields: fieldsIn(form, body) };
  try {
    const { path, originalname, size } = file;
    const extension = await identifyDocument(path, originalname, size);
    if (!fields) throw invalidFields(errors);
    const [name, mediaType] = [safeFileName(originalname, extension), RESUME_MEDIA_TYPES[extension]];
    return { fields, upload: { path, facts: { name, mediaType, size, sha256: await sha256Of(path) } } };
  } catch (error) {
    if (!(error instanceof UnsuitableDocumentError)) throw error;
    throw errors
      ? invalidFields({ ...errors, [field]: [error.message] })
      : fileError(REASONS[error.problem] ?? 'invalid', error.message, field);
  }
}
