import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { collectDefaultMetrics, register } from 'prom-client';
import { down, type HealthReport } from './check.ts';
import { HealthService, reportOf } from './health.service.ts';
import { StorageHealth } from './storage-health.service.ts';

// Sampling interval of the event loop, in ms. The default of 10 would double the CPU time of an idle process. Each delay
// includes the interval, which the dashboard subtracts.
collectDefaultMetrics({ eventLoopMonitoringPrecision: 100 });

/** Endpoints for orchestrator and monitoring. nginx forwards only /api and /inbox, so visitors cannot reach them. */
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
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

  /** Returns the metrics in Prometheus text format. */
  @Get('metrics')
  async scrape(@Res() response: Response): Promise<void> {
    await this.health.report();
    response.type(register.contentType).send(await register.metrics());
  }
}

function respond(response: Response, report: HealthReport): void {
  response.status(report.ready ? 200 : 503).json(report);
}
