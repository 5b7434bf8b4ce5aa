import { Injectable } from '@nestjs/common';
import { CircuitBreaker } from './circuit-breaker.ts';
import { MailError } from './mail-error.ts';
import { Mailer } from './mailer.service.ts';

/** The circuit breaker of the mail server. */
@Injectable()
export class MailServerBreaker extends CircuitBreaker {
  constructor(private readonly mailer: Mailer) {
    super('mail server');
  }

  protected override probe(): Promise<void> {
    return this.mailer.verify();
  }

  protected override isRejection(error: unknown): boolean {
    return error instanceof MailError && error.isRejection;
  }
}
