import { Gauge } from 'prom-client';
import type { Check } from '../observability/health.service.ts';
import type { ErasuresRepository } from '../submissions/erasures.repository.ts';

const incomplete = new Gauge({
  name: 'kitewright_erasures_incomplete',
  help: 'Erased submissions whose file, or copies of whose row, remain to be removed',
});

/** Whether all erasures are complete. */
export const erasuresCheck = (erasures: ErasuresRepository): Check => ({
  name: 'erasures',
  needsStorage: true,
  run: async () => {
    const { count, since } = await erasures.backlog().catch((error: unknown) => {
      // While the database is unavailable, the gauge has no value.
      incomplete.remove();
      throw error;
    });
    incomplete.set(count);
    if (since === undefined) return { status: 'ok' };
    return {
      status: 'degraded',
      cause: `${count} incomplete, the oldest since ${new Date(since).toISOString()}`,
      advice: 'The worker retries every minute; see the cause in its log',
    };
  },
});
