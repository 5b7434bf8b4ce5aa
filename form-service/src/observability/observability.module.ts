import { Global, Module } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import { HealthController } from './health.controller.ts';
import { HealthService } from './health.service.ts';
import { StorageHealth } from './storage.health.ts';

// Milliseconds between two looks at the event loop. Each wakes the process, and the usual 10 are half of what it costs at rest. Each
// figure of the delay is this much too large, which the board takes off again.
collectDefaultMetrics({ eventLoopMonitoringPrecision: 100 });

/** Health and metrics of a process. Any part can inject `HealthService` to register a check. */
@Global()
@Module({
  controllers: [HealthController],
  providers: [HealthService, StorageHealth],
  exports: [HealthService, StorageHealth],
})
export class ObservabilityModule {}
