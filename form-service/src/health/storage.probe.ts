import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { SubmissionStore } from '../storage/submission-store.ts';
import { Readiness, type ProbeResult } from './readiness.ts';

/** Below this the store says no before a résumé fails half way, in bytes. */
export const FREE_BYTES_MIN = 32 * 1024 * 1024;

/** Whether submissions can be stored: the folder can be written and has room. */
@Injectable()
export class StorageProbe {
  constructor(
    @Inject(SubmissionStore) private readonly store: SubmissionStore,
    @Inject(Readiness) readiness: Readiness,
    @Inject(Registry) registry: Registry,
  ) {
    readiness.register('storage', () => this.check());
    const free: Gauge = new Gauge({
      name: 'kitewright_storage_free_bytes',
      help: 'Free space for submissions',
      registers: [],
      collect: async () => free.set((await store.freeBytes().catch(() => undefined)) ?? Number.NaN),
    });
    registry.registerMetric(free);
  }

  private async check(): Promise<ProbeResult> {
    const free = await this.store.freeBytes();
    if (free !== undefined && free < FREE_BYTES_MIN) return { status: 'down', cause: `only ${free} bytes free` };
    await this.store.checkWritable();
    return { status: 'ok' };
  }
}
