import { All, Body, Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
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
  ) {}

  @Post()
  async submit(
    @Body({ schema: contactSchema }) fields: Contact,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { requestId } = logEntryOf(response);
    const idempotencyKey = idempotencyKeyOf(request);
    const result = await this.intake.submit({
      form: 'contact',
      fields,
      idempotencyKey,
      requestId,
      sender: senderOf(request),
    });
    this.responses.accepted(request, response, 'contact', result);
  }

  @All()
  refuseMethod(): never {
    throw HttpError.method('POST');
  }
}
