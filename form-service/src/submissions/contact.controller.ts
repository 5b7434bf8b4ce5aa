import { All, Body, Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { readCanaryKey } from '../canary/canary-key.ts';
import { SETTINGS, type Settings } from '../config/env.ts';
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
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'CANARY_SECRET'>,
  ) {}

  @Post()
  async submit(@Body({ schema: contactSchema }) fields: Contact, @Req() request: Request, @Res() response: Response): Promise<void> {
    const trace = traceOf(response);
    const { requestId } = trace;
    const idempotencyKey = idempotencyKeyOf(request);
    trace.canary = this.isCanary(idempotencyKey);
    const receipt = await this.intake.accept({ form: 'contact', fields, canary: trace.canary, idempotencyKey, requestId, sender: senderOf(request) });
    this.answers.accepted(request, response, 'contact', receipt);
  }

  /** @throws Refusal 400 for a forged one, which would otherwise reach sales */
  private isCanary(idempotencyKey: string | undefined): boolean {
    const finding = readCanaryKey(idempotencyKey, this.settings.CANARY_SECRET);
    if (finding === 'forged') throw Refusal.malformed('The idempotency key is not valid.');
    return finding === 'canary';
  }

  @All()
  refuse(): never {
    throw Refusal.method('POST');
  }
}
