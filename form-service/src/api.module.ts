import { Global, Module } from '@nestjs/common';
import { SETTINGS, settingsProvider } from './config/settings.ts';
import { IntakeModule } from './intake/intake.module.ts';
import { ObservabilityModule } from './observability/observability.module.ts';
import { SubmissionsModule } from './submissions/submissions.module.ts';

/** The process that accepts submissions over HTTP and delivers none. */
@Global()
@Module({
  imports: [SubmissionsModule, ObservabilityModule, IntakeModule],
  providers: [settingsProvider],
  exports: [SETTINGS],
})
export class ApiModule {}
