import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { Readiness } from './readiness.ts';

/** The answers of `/health/ready` as figures, so that what is away can be drawn and alerted on. */
@Injectable()
export class HealthMetrics {
  constructor(@Inject(Readiness) readiness: Readiness, @Inject(Registry) registry: Registry) {
    const checks: Gauge<'check'> = new Gauge({
      name: 'kitewright_health_check_ok',
      help: 'Whether a part that the process depends on is well: 1, or 0 when it is degraded or down',
      labelNames: ['check'],
      registers: [],
      collect: async () => {
        for (const [check, { status }] of Object.entries((await readiness.report()).checks)) checks.set({ check }, status === 'ok' ? 1 : 0);
      },
    });
    registry.registerMetric(checks);
  }
}
