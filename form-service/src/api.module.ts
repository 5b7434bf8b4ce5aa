import { Module } from '@nestjs/common';
import { SettingsModule } from './config/settings.module.ts';
import { HealthModule } from './health/health.module.ts';
import { StorageModule } from './storage/storage.module.ts';
import { SubmissionsModule } from './submissions/submissions.module.ts';

/** The HTTP process: takes submissions, delivers none. */
@Module({ imports: [SettingsModule, StorageModule, HealthModule, SubmissionsModule] })
export class ApiModule {}
