import { Global, Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { SETTINGS, settingsProvider } from './config/settings.ts';
import { DeliveryModule } from './delivery/delivery.module.ts';
import { FollowUpsModule } from './follow-ups/follow-ups.module.ts';
import { InboxController } from './inbox/inbox.controller.ts';
import { LoginMiddleware } from './inbox/login.middleware.ts';
import { RefusalFilter } from './inbox/refusal.filter.ts';
import { ObservabilityModule } from './observability/observability.module.ts';
import { SubmissionsModule } from './submissions/submissions.module.ts';

/**
 * The process that delivers submissions. Its HTTP server has health and metrics, and the inbox for sales and HR, which
 * alone is public behind nginx, and off unless `INBOX_USERS` is set.
 */
@Global()
@Module({
  imports: [SubmissionsModule, ObservabilityModule, DeliveryModule, FollowUpsModule],
  controllers: [InboxController],
  providers: [settingsProvider, { provide: APP_FILTER, useClass: RefusalFilter }],
  exports: [SETTINGS],
})
export class WorkerModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(LoginMiddleware).forRoutes('inbox', 'inbox/*path');
  }
}
