import { Inject, Injectable, Logger } from '@nestjs/common';
import { DelayedError, UnrecoverableError, type Job } from 'bullmq';
import { deliveryJobSchema } from './delivery-job.ts';
import { DeliveryService, type DeliveryOutcome } from './delivery.service.ts';

/** How soon a job is tried again that could not even be begun, in milliseconds. */
const TROUBLE_MS = 10_000;

/** From a job to a delivery, and from its outcome to what the queue does with the job. */
@Injectable()
export class DeliveryProcessor {
  private readonly log = new Logger('DeliveryProcessor');

  constructor(@Inject(DeliveryService) private readonly delivery: DeliveryService) {}

  /**
   * @throws DelayedError when the job was put off
   * @throws UnrecoverableError when it is not one of ours
   */
  async process(job: Job, token?: string): Promise<void> {
    const outcome = await this.deliver(this.idOf(job));
    if (outcome.kind === 'settled') return;
    await job.moveToDelayed(Date.now() + outcome.pauseMs, token);
    throw new DelayedError();
  }

  /** A job's data come from Redis, which is not ours alone to write. */
  private idOf(job: Job): string {
    if (!deliveryJobSchema.isValidSync(job.data)) throw new UnrecoverableError('not a delivery job');
    return job.data.id;
  }

  /** Only the store can fail here; it is tried again, and so never ends a job while its submission is pending. */
  private async deliver(id: string): Promise<DeliveryOutcome> {
    try {
      return await this.delivery.deliver(id);
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException;
      this.log.error({ event: 'delivery broke off', reference: id, code: code ?? name });
      return { kind: 'later', pauseMs: TROUBLE_MS };
    }
  }
}
