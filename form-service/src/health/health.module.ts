import { Global, Module } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { HealthController } from './health.controller.ts';
import { HealthMetrics } from './health.metrics.ts';
import { Readiness } from './readiness.ts';
import { StorageProbe } from './storage.probe.ts';

/** Health and metrics of a process. Any part injects `Readiness` to register a probe and `Registry` to add a metric. */
@Global()
@Module({
  controllers: [HealthController],
  providers: [Readiness, HealthMetrics, StorageProbe, { provide: Registry, useFactory: createRegistry }],
  exports: [Readiness, Registry],
})
export class HealthModule {}

function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
