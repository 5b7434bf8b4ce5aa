import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { register } from 'prom-client';
import { HealthService } from './health.service.ts';

/**
 * Endpoints for the orchestrator and the monitoring. nginx forwards nothing outside /api, so visitors cannot reach
 * them.
 */
@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** Answers 200 while the process runs and its event loop is not blocked. */
  @Get('health/live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Answers 200 when the process can do its work, else 503. The body names each part and its cause. */
  @Get('health/ready')
  async ready(@Res() response: Response): Promise<void> {
    const report = await this.health.report();
    response.status(report.ready ? 200 : 503).json(report);
  }

  /** Answers the metrics in Prometheus text format. */
  @Get('metrics')
  async scrape(@Res() response: Response): Promise<void> {
    await this.health.report();
    response.type(register.contentType).send(await register.metrics());
  }
}
