import { Module } from '@nestjs/common';
import { ConfigModule } from './config/config.module.ts';
import { DatabaseModule } from './database/database.module.ts';
import { IntakeModule } from './intake/intake.module.ts';
import { ObservabilityModule } from './observability/observability.module.ts';
import { SubmissionsModule } from './submissions/submissions.module.ts';

/** The process that accepts submissions over HTTP and delivers none. */
@Module({ imports: [ConfigModule, DatabaseModule, SubmissionsModule, ObservabilityModule, IntakeModule] })
export class ApiModule {}
