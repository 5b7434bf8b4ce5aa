import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { counter, gauge, registerAll } from '../observability/metrics.ts';

const OUTCOMES = ['delivered', 'late', 'refused', 'unreachable'] as const;

/** The metrics of the canary; there are none where it is off. */
@Injectable()
export class CanaryMetrics {
  readonly attempts = counter(
    'canary_attempts_total',
    'Synthetic enquiries sent by this worker, by how they ended',
    'outcome',
  );

  private readonly lastSuccess = gauge(
    'canary_last_success_timestamp_seconds',
    'When a synthetic enquiry was last taken by the mail server, in Unix time; until one was, when the worker was started',
  );

  private readonly duration = gauge(
    'canary_seconds',
    'Time that the latest synthetic enquiry took, from its sending through the site to the mail server',
  );

  private readonly interval = gauge('canary_interval_seconds', 'Time from one synthetic enquiry to the next');

  constructor(private readonly registry: Registry) {}

  /** @param startedAt milliseconds since the epoch */
  begin(intervalMs: number, startedAt: number): void {
    registerAll(this.registry, this);
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
    this.interval.set(intervalMs / 1_000);
    this.lastSuccess.set(startedAt / 1_000);
    this.duration.set(Number.NaN);
  }

  /** @param at milliseconds since the epoch */
  arrived(at: number, tookMs: number): void {
    this.lastSuccess.set(at / 1_000);
    this.duration.set(tookMs / 1_000);
  }
}
