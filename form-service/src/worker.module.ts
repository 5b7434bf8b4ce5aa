import { Module } from '@nestjs/common';
import { SettingsModule } from './config/settings.module.ts';
import { DeliveryModule } from './delivery/delivery.module.ts';
import { HealthModule } from './health/health.module.ts';
import { StorageModule } from './storage/storage.module.ts';

/** The process that delivers: no public HTTP, only health and metrics. */
@Module({ imports: [SettingsModule, StorageModule, HealthModule, DeliveryModule] })
export class WorkerModule {}
