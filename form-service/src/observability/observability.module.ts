import { Global, Module } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import { HealthController } from './health.controller.ts';
import { HealthService } from './health.service.ts';

// Sampling interval of the event loop, in ms. The default of 10 would double the CPU time of an idle process. Each delay
// includes the interval, which the dashboard subtracts.
collectDefaultMetrics({ eventLoopMonitoringPrecision: 100 });

/** Health checks and metrics of a process. Modules inject `HealthService` to register a check. */
@Global()
@Module({
  controllers: [HealthController],
  providers: [HealthService],
  exports: [HealthService],
})
export class ObservabilityModule {}
