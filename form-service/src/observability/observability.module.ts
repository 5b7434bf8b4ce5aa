import { Global, Module } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import { HealthController } from './health.controller.ts';
import { HealthService } from './health.service.ts';
import { StorageHealth } from './storage.health.ts';

collectDefaultMetrics();

/** Health and metrics of a process. Any part can inject `HealthService` to register a check. */
@Global()
@Module({
  controllers: [HealthController],
  providers: [HealthService, StorageHealth],
  exports: [HealthService, StorageHealth],
})
export class ObservabilityModule {}
