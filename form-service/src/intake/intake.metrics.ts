import { counter, histogram } from '../observability/metrics.ts';
import { FORM_KINDS, type FormKind } from '../submissions/submission.ts';
import { ERROR_REASONS } from './http-error.ts';

const OUTCOMES = ['accepted', 'quarantined', 'repeated', ...ERROR_REASONS] as const;

/** The results of a request for a submission. */
export type SubmissionOutcome = (typeof OUTCOMES)[number];

const outcomes = counter('submissions_total', 'Requests to submit a form, by how they ended', 'form', 'outcome');
for (const form of FORM_KINDS) for (const outcome of OUTCOMES) outcomes.inc({ form, outcome }, 0);

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30];
const durations = histogram('submission_seconds', 'Time to answer a request to submit a form', SECONDS, 'form');

/** Counts a request by its form and result. */
export function countRequest(form: FormKind | 'none', outcome: SubmissionOutcome, seconds: number): void {
  outcomes.inc({ form, outcome });
  durations.observe({ form }, seconds);
}
