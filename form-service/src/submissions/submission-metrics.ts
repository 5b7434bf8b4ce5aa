import { Inject, Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import { FORM_LABELS, type FormLabel } from '../canary/form-label.ts';
import type { FormKind } from './form-kind.ts';
import { REFUSAL_REASONS } from './refusal.ts';
import { SUSPICIONS, type Suspicion } from './screening/signals.ts';

const OUTCOMES = ['accepted', 'set-aside', 'repeated', ...REFUSAL_REASONS] as const;

/** How a request for a submission ended. */
export type SubmissionOutcome = (typeof OUTCOMES)[number];

/**
 * Counts by form and outcome; labels are fixed words, never something a visitor sent. Outcomes start at 0 and not with
 * the first one: Prometheus sees no increase in a series that begins with 1.
 */
@Injectable()
export class SubmissionMetrics {
  private readonly outcomes = new Counter({
    name: 'kitewright_submissions_total',
    help: 'Requests to submit a form, by how they ended',
    labelNames: ['form', 'outcome'],
    registers: [],
  });
  private readonly suspicions = new Counter({
    name: 'kitewright_suspicions_total',
    help: 'Reasons for which submissions were set aside on arrival',
    labelNames: ['form', 'suspicion'],
    registers: [],
  });
  private readonly durations = new Histogram({
    name: 'kitewright_submission_seconds',
    help: 'Time to answer a request to submit a form',
    labelNames: ['form'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers: [],
  });

  constructor(@Inject(Registry) registry: Registry) {
    registry.registerMetric(this.outcomes);
    registry.registerMetric(this.suspicions);
    registry.registerMetric(this.durations);
    for (const form of FORM_LABELS) for (const outcome of OUTCOMES) this.outcomes.inc({ form, outcome }, 0);
    for (const form of ['contact', 'application']) for (const suspicion of SUSPICIONS) this.suspicions.inc({ form, suspicion }, 0);
  }

  count(form: FormLabel | 'none', outcome: SubmissionOutcome, seconds: number): void {
    this.outcomes.inc({ form, outcome });
    this.durations.observe({ form }, seconds);
  }

  countSetAside(form: FormKind, suspicions: readonly Suspicion[]): void {
    for (const suspicion of suspicions) this.suspicions.inc({ form, suspicion });
  }
}
