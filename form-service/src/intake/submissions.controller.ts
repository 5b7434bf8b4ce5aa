import { All, Controller, Get, Header, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import type { Form } from '../contract/define-form.ts';
import { OPEN_FORMS } from '../contract/forms.ts';
import { messages } from '../contract/messages.ts';
import type { AcceptedAnswer, FormTokenAnswer } from '../contract/protocol.ts';
import { FormTokenService } from './form-token.service.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { contextOf, formAt } from '../http/request-context.middleware.ts';
import { NO_STORE, respond } from '../http/respond.ts';
import { FileUpload } from './file-upload.service.ts';
import { IntakeService, type SubmitCommand } from './intake.service.ts';
import { sentPage } from './pages/pages.ts';
import { contentIn, fieldsIn, idempotencyKeyOf, senderOf } from './submission-request.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('errors');

/** Paths of the forms below `/api`. */
const PATHS = OPEN_FORMS.map(({ path }) => path.replace(/^\/api\//, ''));

/** HTTP endpoints of the forms. */
@Controller('api')
export class SubmissionsController {
  constructor(
    private readonly upload: FileUpload,
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
      await this.accept(request, response, form, await contentIn(form, form.file, request.body, received));
    } finally {
      if (received) await this.upload.discard(received);
    }
  }

  /** Issues a form token when a visitor first touches the form. Stores and counts nothing. */
  @Get('form-token')
  @Header('Cache-Control', NO_STORE)
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
