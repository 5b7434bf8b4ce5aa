import { Module } from '@nestjs/common';
import { ConfigModule } from './config/config.module.ts';
import { DatabaseModule } from './database/database.module.ts';
import { DeliveryModule } from './delivery/delivery.module.ts';
import { ObservabilityModule } from './observability/observability.module.ts';
import { SubmissionsModule } from './submissions/submissions.module.ts';

/**
 * The process that delivers submissions. Its HTTP server is not public and has only health and metrics.
 */
@Module({
  imports: [ConfigModule, DatabaseModule, SubmissionsModule, ObservabilityModule, DeliveryModule],
})
export class WorkerModule {}
