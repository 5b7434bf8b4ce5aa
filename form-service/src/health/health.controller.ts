import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { collectDefaultMetrics, register } from 'prom-client';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { down, type HealthReport } from './checks.ts';
import { HealthService, reportOf } from './health.service.ts';
import { StorageHealth } from './storage-health.service.ts';

// Sampling interval of the event loop, in ms. The default of 10 would double the CPU time of an idle process. Each delay
// includes the interval, which the dashboard subtracts.
collectDefaultMetrics({ eventLoopMonitoringPrecision: 100 });

/** Time after which a pending submission is late, for any reason. */
const LATE_MS = 10 * 60_000;

/** Endpoints for orchestrator and monitoring. Of these, nginx forwards only `/healthz/deliveries`. */
@Controller()
export class HealthController {
  /** Time for which the answer about deliveries is cached, so that any number of callers costs one query. */
  cacheMs = 10_000;
  /** Time after which a database that does not respond counts as unavailable. */
  answerMs = 5_000;
  private latest: { readonly at: number; readonly isLate: Promise<boolean> } | undefined;

  constructor(
    private readonly health: HealthService,
    private readonly search: SubmissionSearchRepository,
    private readonly storage: StorageHealth,
  ) {}

  /** Liveness: responds 200 while the event loop is not blocked. */
  @Get('health/live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /**
   * Startup: responds 200 once the database is open, migrated and belongs to the files, otherwise 503 with the cause. An
   * update waits for it, and no outage of mail server, virus scanner or Redis delays it.
   */
  @Get('health/started')
  started(@Res() response: Response): void {
    respond(response, reportOf(new Map([[{ name: 'storage' }, down(this.storage.startCause)]])));
  }

  /** Readiness: responds 200 if the process can do its work, otherwise 503. The body lists each check and its cause. */
  @Get('health/ready')
  async ready(@Res() response: Response): Promise<void> {
    respond(response, await this.health.report());
  }

  /**
   * Health of deliveries for an uptime monitor outside: 200 `ok`, or 503 `late` if a submission is late or nothing can be
   * stored. The api answers from the database, so it also shows a worker that does not run, which can raise no alert. It
   * is public, so it says nothing else.
   */
  @Get('healthz/deliveries')
  async deliveries(@Res() response: Response): Promise<void> {
    const now = performance.now();
    if (!this.latest || now - this.latest.at >= this.cacheMs) this.latest = { at: now, isLate: this.isLate() };
    const isLate = await this.latest.isLate;
    response
      .status(isLate ? 503 : 200)
      .set('Cache-Control', 'no-store')
      .type('text/plain');
    response.send(isLate ? 'late\n' : 'ok\n');
  }

  /** Returns the metrics in Prometheus text format. */
  @Get('metrics')
  async scrape(@Res() response: Response): Promise<void> {
    await this.health.report();
    response.type(register.contentType).send(await register.metrics());
  }

  private async isLate(): Promise<boolean> {
    if (this.storage.cause !== undefined) return true;
    const late = this.search.pendingLongerThan(LATE_MS, 1).then(
      ({ length }) => length > 0,
      () => true,
    );
    return Promise.race([late, pause(this.answerMs, true, { ref: false })]);
  }
}

function respond(response: Response, report: HealthReport): void {
  response.status(report.ready ? 200 : 503).json(report);
}
