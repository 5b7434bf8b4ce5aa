import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Application } from '../contract/application.ts';
import type { Contact } from '../contract/contact.ts';
import { DeliveryQueue } from '../delivery/delivery-queue.ts';
import { keyedSubmissionId, randomSubmissionId } from '../storage/submission-id.ts';
import { SubmissionStore } from '../storage/submission-store.ts';
import type { ResumeFile, Submission } from '../storage/submission.ts';
import { Refusal } from './refusal.ts';

/** A validated submission on its way into the store. */
export type Arrival = (
  | { readonly form: 'contact'; readonly fields: Contact }
  | { readonly form: 'application'; readonly fields: Application; readonly resume: ResumeFile; readonly uploadPath: string }
) & { readonly idempotencyKey: string | undefined; readonly requestId: string };

export interface Receipt {
  readonly reference: string;
  /** The same content was accepted before under the same key. */
  readonly repeat: boolean;
}

/** Stores a submission durably, then asks for its delivery: what this returns may be promised to the visitor. */
@Injectable()
export class SubmissionIntake {
  constructor(
    @Inject(SubmissionStore) private readonly store: SubmissionStore,
    @Inject(DeliveryQueue) private readonly queue: Pick<DeliveryQueue, 'enqueue'>,
  ) {}

  /**
   * @throws Refusal 409 when the key was used for other content
   * @throws StorageUnavailableError when nothing can be stored now; then nothing was
   */
  async accept(arrival: Arrival): Promise<Receipt> {
    const submission = submissionOf(arrival);
    const uploadPath = arrival.form === 'application' ? arrival.uploadPath : undefined;
    const outcome = await this.store.accept(submission, 'pending', uploadPath);
    const reference = submission.id;
    if (outcome.kind === 'stored') {
      this.queue.enqueue(reference);
      return { reference, repeat: false };
    }
    if (outcome.existing.submission.contentDigest !== submission.contentDigest) {
      throw new Refusal(409, 'conflict', 'This form was already sent with other content. Please reload the page and send it again.');
    }
    if (outcome.existing.state === 'pending') this.queue.enqueue(reference);
    return { reference, repeat: true };
  }
}

function submissionOf(arrival: Arrival): Submission {
  const { form, idempotencyKey, requestId } = arrival;
  const base = {
    version: 1,
    id: idempotencyKey === undefined ? randomSubmissionId() : keyedSubmissionId(form, idempotencyKey),
    receivedAt: new Date().toISOString(),
    requestId,
    contentDigest: digestOf(arrival),
    delivery: { attempts: 0 },
  } as const;
  return arrival.form === 'contact'
    ? { ...base, form: arrival.form, fields: arrival.fields }
    : { ...base, form: arrival.form, fields: arrival.fields, resume: arrival.resume };
}

function digestOf(arrival: Arrival): string {
  const fields = Object.entries(arrival.fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const file = arrival.form === 'application' ? arrival.resume.sha256 : undefined;
  return createHash('sha256').update(JSON.stringify([arrival.form, fields, file])).digest('hex');
}
