import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Application } from '../contract/application.ts';
import type { Contact } from '../contract/contact.ts';
import { DeliveryQueue } from '../delivery/delivery-queue.ts';
import { keyedSubmissionId, randomSubmissionId } from '../storage/submission-id.ts';
import { SubmissionStore } from '../storage/submission-store.ts';
import type { ResumeFile, Submission } from '../storage/submission.ts';
import { Refusal } from './refusal.ts';
import { Screening } from './screening/screening.ts';
import type { Sender } from './screening/sender.ts';
import { SubmissionMetrics } from './submission-metrics.ts';

/** A validated submission on its way into the store. */
export type Arrival = (
  | { readonly form: 'contact'; readonly fields: Contact; readonly canary?: boolean }
  | { readonly form: 'application'; readonly fields: Application; readonly resume: ResumeFile; readonly uploadPath: string }
) & { readonly idempotencyKey: string | undefined; readonly requestId: string; readonly sender: Sender };

export interface Receipt {
  readonly reference: string;
  /** The same content was accepted before under the same key. */
  readonly repeat: boolean;
  /** It waits for the operator's eye; the visitor is not told. */
  readonly setAside: boolean;
}

/** Stores a submission durably, then asks for its delivery, unless it is set aside as spam: what this returns may be promised to the visitor. */
@Injectable()
export class SubmissionIntake {
  constructor(
    @Inject(SubmissionStore) private readonly store: SubmissionStore,
    @Inject(DeliveryQueue) private readonly queue: Pick<DeliveryQueue, 'enqueue'>,
    @Inject(Screening) private readonly screening: Screening,
    @Inject(SubmissionMetrics) private readonly metrics: SubmissionMetrics,
  ) {}

  /**
   * @throws Refusal 409 when the key was used for other content
   * @throws StorageUnavailableError when nothing can be stored now; then nothing was
   */
  async accept(arrival: Arrival): Promise<Receipt> {
    const { form, idempotencyKey } = arrival;
    const reference = idempotencyKey === undefined ? randomSubmissionId() : keyedSubmissionId(form, idempotencyKey);
    const suspicions = await this.screening.suspicionsOf({ ...arrival, submissionId: reference });
    const setAside = suspicions.length > 0;
    const submission = submissionOf(reference, arrival, suspicions);
    const uploadPath = arrival.form === 'application' ? arrival.uploadPath : undefined;
    const outcome = await this.store.accept(submission, setAside ? 'quarantined' : 'pending', uploadPath);
    if (outcome.kind === 'stored') {
      if (setAside) this.metrics.countSetAside(form, suspicions);
      else this.queue.enqueue(reference);
      return { reference, repeat: false, setAside };
    }
    if (outcome.existing.submission.contentDigest !== submission.contentDigest) {
      throw new Refusal(409, 'conflict', 'This form was already sent with other content. Please reload the page and send it again.');
    }
    if (outcome.existing.state === 'pending') this.queue.enqueue(reference);
    return { reference, repeat: true, setAside: outcome.existing.state === 'quarantined' };
  }
}

function submissionOf(id: string, arrival: Arrival, suspicions: readonly string[]): Submission {
  const base = {
    version: 1,
    id,
    receivedAt: new Date().toISOString(),
    requestId: arrival.requestId,
    contentDigest: digestOf(arrival),
    delivery: { attempts: 0 },
    ...(suspicions.length > 0 && { suspicions }),
  } as const;
  return arrival.form === 'contact'
    ? { ...base, form: arrival.form, fields: arrival.fields, ...(arrival.canary && { canary: true as const }) }
    : { ...base, form: arrival.form, fields: arrival.fields, resume: arrival.resume };
}

function digestOf(arrival: Arrival): string {
  const fields = Object.entries(arrival.fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const file = arrival.form === 'application' ? arrival.resume.sha256 : undefined;
  return hash('sha256', JSON.stringify([arrival.form, fields, file]), 'hex');
}
