import { Injectable } from '@nestjs/common';
import { Mailer } from '../mail/mailer.service.ts';
import { deliveryErrorOf, type DeliveryError } from '../outbox/failure.ts';

/** Whether the mail server can be used, as this worker's latest use of it has shown. The health check reads it. */
@Injectable()
export class MailServerStatus {
  /** Start of the outage, in milliseconds since the epoch. */
  unavailableSince: number | undefined;
  /** Why the server could not be used. */
  failure: DeliveryError | undefined;

  constructor(private readonly mailer: Mailer) {}

  /** Notes that the server answered after the login, or with a failure why it could not be used. */
  note(failure?: DeliveryError): void {
    this.failure = failure;
    this.unavailableSince = failure && (this.unavailableSince ?? Date.now());
  }

  /** Connects and logs in, so that a fault is found before the first submission. */
  async check(): Promise<void> {
    this.note(await this.mailer.verify().then(() => undefined, deliveryErrorOf));
  }
}
