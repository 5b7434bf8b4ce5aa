import { Global, Module } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { BackupMetric } from './backup.metric.ts';
import { HealthController } from './health.controller.ts';
import { HealthService } from './health.service.ts';
import { StorageHealth } from './storage.health.ts';
import { TaskHealth } from './task-health.service.ts';

/**
 * Health and metrics of a process. Any part can inject `HealthService` to register a check, and `Registry` to add a
 * metric.
 */
@Global()
@Module({
  controllers: [HealthController],
  providers: [
    BackupMetric,
    HealthService,
    StorageHealth,
    TaskHealth,
    { provide: Registry, useFactory: createRegistry },
  ],
  exports: [HealthService, StorageHealth, TaskHealth, Registry],
})
export class ObservabilityModule {}

function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
