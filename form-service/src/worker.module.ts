import { Global, Module } from '@nestjs/common';
import { SETTINGS, settingsProvider } from './config/settings.ts';
import { DeliveryModule } from './delivery/delivery.module.ts';
import { InboxModule } from './inbox/inbox.module.ts';
import { ObservabilityModule } from './observability/observability.module.ts';
import { SubmissionsModule } from './submissions/submissions.module.ts';

/**
 * The process that delivers submissions. Its HTTP server has health and metrics, and the inbox, which alone is public
 * behind nginx.
 */
@Global()
@Module({
  imports: [SubmissionsModule, ObservabilityModule, DeliveryModule, InboxModule],
  providers: [settingsProvider],
  exports: [SETTINGS],
})
export class WorkerModule {}
