import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { HealthService } from './health.service.ts';

/** For the orchestrator and the monitoring, never for visitors: nginx forwards nothing outside /api. */
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: Registry,
  ) {}

  /** The process runs and its event loop turns. */
  @Get('health/live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 when the process can do its work, else 503; the body names each part and its cause. */
  @Get('health/ready')
  async ready(@Res() response: Response): Promise<void> {
    const report = await this.health.report();
    response.status(report.ready ? 200 : 503).json(report);
  }

  /** Prometheus text format. */
  @Get('metrics')
  async scrape(@Res() response: Response): Promise<void> {
    await this.health.report();
    response.type(this.metrics.contentType).send(await this.metrics.metrics());
  }
}
