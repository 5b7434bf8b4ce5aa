import { All, Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { contactSchema } from '../contract/contact.ts';
import { AnswerService } from './answer.service.ts';
import { HttpError } from './http-error.ts';
import { IntakeService } from './intake.service.ts';
import { contextOf } from './submission.middleware.ts';
import { idempotencyKeyOf, invalidFields, senderOf, validate } from './submission-request.ts';

/** `POST /api/contact` as JSON, or as a browser posts the plain HTML form. */
@Controller('api/contact')
export class ContactController {
  constructor(
    private readonly intake: IntakeService,
    private readonly answers: AnswerService,
  ) {}

  @Post()
  async submit(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { fields, errors } = validate(contactSchema, request.body);
    if (errors) throw invalidFields(errors);
    const { requestId, client } = contextOf(response);
    const result = await this.intake.submit({
      form: 'contact',
      fields,
      idempotencyKey: idempotencyKeyOf(request),
      requestId,
      sender: senderOf(request, client),
    });
    this.answers.accepted(request, response, 'contact', result);
  }

  @All()
  refuseMethod(): never {
    throw HttpError.method('POST');
  }
}
