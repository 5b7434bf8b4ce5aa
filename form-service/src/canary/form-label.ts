import type { Submission } from '../storage/submission.ts';

/** What a submission counts as. A canary has a label of its own, so that no figure about visitors holds it. */
export const FORM_LABELS = ['contact', 'application', 'canary'] as const;
export type FormLabel = (typeof FORM_LABELS)[number];

export function formLabelOf(submission: Submission): FormLabel {
  return submission.form === 'contact' && submission.canary ? 'canary' : submission.form;
}
