import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry, type Metric } from 'prom-client';

const OUTCOMES = ['delivered', 'late', 'refused', 'unreachable'] as const;

/** Figures of the synthetic enquiry; there are none where it is off. */
@Injectable()
export class CanaryMetrics {
  readonly attempts = new Counter({
    name: 'kitewright_canary_attempts_total',
    help: 'Synthetic enquiries sent by this worker, by how they ended',
    labelNames: ['outcome'] as const,
    registers: [],
  });

  private readonly lastSuccess = new Gauge({
    name: 'kitewright_canary_last_success_timestamp_seconds',
    help: 'When a synthetic enquiry was last taken by the mail server, in Unix time; until one was, when the worker was started',
    registers: [],
  });

  private readonly duration = new Gauge({
    name: 'kitewright_canary_seconds',
    help: 'Time that the latest synthetic enquiry took, from its sending through the site to the mail server',
    registers: [],
  });

  private readonly interval = new Gauge({
    name: 'kitewright_canary_interval_seconds',
    help: 'Time from one synthetic enquiry to the next',
    registers: [],
  });

  constructor(private readonly registry: Registry) {}

  /** @param startedAt milliseconds since the epoch */
  begin(intervalMs: number, startedAt: number): void {
    for (const metric of [this.attempts, this.lastSuccess, this.duration, this.interval]) this.registry.registerMetric(metric as Metric);
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
