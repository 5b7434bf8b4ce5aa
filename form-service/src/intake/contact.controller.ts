import { All, Body, Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { readCanaryKey } from '../canary/canary-key.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { contactSchema, type Contact } from '../contract/contact.ts';
import { logEntryOf } from './access-log.middleware.ts';
import { senderOf } from '../spam/sender.ts';
import { HttpError } from './http-error.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { IntakeService } from './intake.service.ts';
import { ResponseService } from './response.service.ts';

/** `POST /api/contact` as JSON, or as a browser posts the plain HTML form. */
@Controller('api/contact')
export class ContactController {
  constructor(
    private readonly intake: IntakeService,
    private readonly responses: ResponseService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'CANARY_SECRET'>,
  ) {}

  @Post()
  async submit(
    @Body({ schema: contactSchema }) fields: Contact,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const entry = logEntryOf(response);
    const { requestId } = entry;
    const idempotencyKey = idempotencyKeyOf(request);
    const canary = (entry.canary = this.isCanary(idempotencyKey));
    const result = await this.intake.submit({
      form: 'contact',
      fields,
      canary,
      idempotencyKey,
      requestId,
      sender: senderOf(request),
    });
    this.responses.accepted(request, response, 'contact', result);
  }

  /** @throws HttpError 400 for a forged canary key, whose submission would otherwise reach sales */
  private isCanary(idempotencyKey: string | undefined): boolean {
    const finding = readCanaryKey(idempotencyKey, this.settings.CANARY_SECRET);
    if (finding === 'forged') throw HttpError.malformed('The idempotency key is not valid.');
    return finding === 'canary';
  }

  @All()
  refuseMethod(): never {
    throw HttpError.method('POST');
  }
}
