import type { JobsOptions } from 'bullmq';
import { object, string, type InferType } from 'yup';
import { isSubmissionId } from '../storage/submission-id.ts';

/** Name of the queue that api and worker share. */
export const DELIVERY_QUEUE = 'delivery';

export const DELIVER_JOB = 'deliver';

/** All that a job holds: losing it loses nothing, and reading it tells nothing about a visitor. */
export const deliveryJobSchema = object({
  id: string()
    .required()
    .test('reference', 'id is not a reference', (value) => isSubmissionId(value)),
})
  .noUnknown()
  .required();

export type DeliveryJob = InferType<typeof deliveryJobSchema>;

/**
 * Job options of one submission. The submission's id is the job's id, so a second job for it cannot exist. Retries are
 * scheduled by the worker from the stored record, not by the queue's own count of attempts, which Redis could lose.
 */
export function deliveryJobOptions(id: string): JobsOptions {
  return { jobId: id, attempts: 1, removeOnComplete: true, removeOnFail: { count: 1_000 } };
}
