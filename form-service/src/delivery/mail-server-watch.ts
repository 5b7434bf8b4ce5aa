import { Inject, Injectable } from '@nestjs/common';
import { DeliveryQueue } from './delivery-queue.ts';
import { MailError } from './mail-error.ts';
import { Mailer } from './mailer.service.ts';
import { OutageWatch } from './outage-watch.ts';

/** Whether the mail server can be used, and the release of what was held while it could not. */
@Injectable()
export class MailServerWatch extends OutageWatch {
  constructor(
    @Inject(Mailer) private readonly mailer: Mailer,
    @Inject(DeliveryQueue) private readonly queue: DeliveryQueue,
  ) {
    super('mail server');
  }

  protected override probe(): Promise<void> {
    return this.mailer.verify();
  }

  protected override releaseHeld(): Promise<void> {
    return this.queue.promoteDelayed();
  }

  protected override isRefusal(error: unknown): boolean {
    return error instanceof MailError && error.isRefusal;
  }
}
