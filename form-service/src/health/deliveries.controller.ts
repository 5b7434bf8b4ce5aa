import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { StorageHealth } from './storage-health.service.ts';

/** Time after which a pending submission is late, for any reason. */
const LATE_MS = 10 * 60_000;

/**
 * Health of deliveries for an uptime monitor outside. The api answers it from the database, so it also shows a worker that
 * does not run, which can raise no alert. It is public, so it says nothing but ok or late.
 */
@Controller()
export class DeliveriesController {
  /** Time for which an answer is cached, so that any number of callers costs one query. */
  cacheMs = 10_000;
  /** Time after which a database that does not respond counts as unavailable. */
  answerMs = 5_000;
  private latest: { readonly at: number; readonly isLate: Promise<boolean> } | undefined;

  constructor(
    private readonly search: SubmissionSearchRepository,
    private readonly storage: StorageHealth,
  ) {}

  /** Responds 200 `ok`, or 503 `late` if a submission is late or nothing can be stored. */
  @Get('healthz/deliveries')
  async show(@Res() response: Response): Promise<void> {
    const isLate = await this.isLate();
    response
      .status(isLate ? 503 : 200)
      .set('Cache-Control', 'no-store')
      .type('text/plain')
      .send(isLate ? 'late\n' : 'ok\n');
  }

  private isLate(): Promise<boolean> {
    const now = performance.now();
    if (!this.latest || now - this.latest.at >= this.cacheMs) this.latest = { at: now, isLate: this.check() };
    return this.latest.isLate;
  }

  private async check(): Promise<boolean> {
    if (this.storage.cause !== undefined) return true;
    const timeout = pause(this.answerMs, true, { ref: false });
    const isLate = async () => (await this.search.pendingLongerThan(LATE_MS, 1)).length > 0;
    return Promise.race([isLate().catch(() => true), timeout]);
  }
}
