import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { register } from 'prom-client';
import { HealthService } from './health.service.ts';

/** Endpoints for orchestrator and monitoring. nginx forwards only /api and /inbox, so visitors cannot reach them. */
@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

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
  async started(@Res() response: Response): Promise<void> {
    const report = await this.health.startReport();
    response.status(report.ready ? 200 : 503).json(report);
  }

  /** Readiness: responds 200 if the process can do its work, otherwise 503. The body lists each check and its cause. */
  @Get('health/ready')
  async ready(@Res() response: Response): Promise<void> {
    const report = await this.health.report();
    response.status(report.ready ? 200 : 503).json(report);
  }

  /** Returns the metrics in Prometheus text format. */
  @Get('metrics')
  async scrape(@Res() response: Response): Promise<void> {
    await this.health.report();
    response.type(register.contentType).send(await register.metrics());
  }
}
