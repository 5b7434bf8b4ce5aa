import { Injectable } from '@nestjs/common';
import { Histogram, Registry } from 'prom-client';
import { counter, registerAll } from '../observability/metrics.ts';
import { FORM_KINDS, type FormKind } from '../submissions/submission.ts';
import { SPAM_REASONS, type SpamReason } from '../spam/signals.ts';
import { ERROR_REASONS } from './http-error.ts';

const OUTCOMES = ['accepted', 'quarantined', 'repeated', ...ERROR_REASONS] as const;

/** The results of a request for a submission. */
export type SubmissionOutcome = (typeof OUTCOMES)[number];

/**
 * Counts requests by form and result. Labels are fixed words, never something that a visitor sent. Counters start at 0
 * and not with the first request, since Prometheus sees no increase in a series that begins with 1.
 */
@Injectable()
export class IntakeMetrics {
  private readonly outcomes = counter(
    'submissions_total',
    'Requests to submit a form, by how they ended',
    'form',
    'outcome',
  );
  private readonly spamReasons = counter(
    'spam_reasons_total',
    'Reasons for which submissions were quarantined on arrival',
    'form',
    'reason',
  );
  private readonly durations = new Histogram({
    name: 'kitewright_submission_seconds',
    help: 'Time to answer a request to submit a form',
    labelNames: ['form'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers: [],
  });

  constructor(registry: Registry) {
    registerAll(registry, this);
    for (const form of FORM_KINDS) for (const outcome of OUTCOMES) this.outcomes.inc({ form, outcome }, 0);
    for (const form of FORM_KINDS) for (const reason of SPAM_REASONS) this.spamReasons.inc({ form, reason }, 0);
  }

  count(form: FormKind | 'none', outcome: SubmissionOutcome, seconds: number): void {
    this.outcomes.inc({ form, outcome });
    this.durations.observe({ form }, seconds);
  }

  countQuarantined(form: FormKind, reasons: readonly SpamReason[]): void {
    for (const reason of reasons) this.spamReasons.inc({ form, reason });
  }
}
