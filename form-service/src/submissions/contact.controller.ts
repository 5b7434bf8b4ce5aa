import { All, Body, Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { contactSchema, type Contact } from '../contract/contact.ts';
import { AnswerWriter } from './answers/answer-writer.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { Refusal } from './refusal.ts';
import { traceOf } from './request-trace.ts';
import { senderOf } from './screening/sender.ts';
import { SubmissionIntake } from './submission-intake.ts';

/** `POST /api/contact` (spec 7). */
@Controller('api/contact')
export class ContactController {
  constructor(
    @Inject(SubmissionIntake) private readonly intake: SubmissionIntake,
    @Inject(AnswerWriter) private readonly answers: AnswerWriter,
  ) {}

  @Post()
  async submit(@Body({ schema: contactSchema }) fields: Contact, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { requestId } = traceOf(response);
    const receipt = await this.intake.accept({ form: 'contact', fields, idempotencyKey: idempotencyKeyOf(request), requestId, sender: senderOf(request) });
    this.answers.accepted(request, response, 'contact', receipt);
  }

  @All()
  refuse(): never {
    throw Refusal.method('POST');
  }
}
