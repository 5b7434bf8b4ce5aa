import { Global, Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { SETTINGS, settingsProvider } from './config/settings.ts';
import { DeliveryModule } from './delivery.module.ts';
import { NotificationsModule } from './notifications.module.ts';
import { ErrorRenderer, HttpExceptionFilter } from './http/exception.filter.ts';
import { InboxErrorRenderer } from './inbox/inbox-error.renderer.ts';
import { InboxController } from './inbox/inbox.controller.ts';
import { InboxVisitsRepository } from './inbox/inbox-visits.repository.ts';
import { LoginMiddleware } from './inbox/login.middleware.ts';
import { OpenIdConnect } from './inbox/open-id-connect.service.ts';
import { Sessions } from './inbox/sessions.service.ts';
import { SignInAttempts } from './inbox/sign-in-attempts.service.ts';
import { SignInController } from './inbox/sign-in.controller.ts';
import { ObservabilityModule } from './observability/observability.module.ts';
import { SubmissionsModule } from './submissions/submissions.module.ts';

/**
 * The worker: delivers submissions. Its HTTP server has health checks, metrics, and the inbox for sales and HR. Only the
 * inbox is public behind nginx. It is off unless `INBOX_USERS` is set.
 */
@Global()
@Module({
  imports: [SubmissionsModule, ObservabilityModule, DeliveryModule, NotificationsModule],
  controllers: [SignInController, InboxController],
  providers: [
    settingsProvider,
    OpenIdConnect,
    Sessions,
    SignInAttempts,
    InboxVisitsRepository,
    { provide: APP_FILTER, useClass: HttpExceptionFilter },
    { provide: ErrorRenderer, useClass: InboxErrorRenderer },
  ],
  exports: [SETTINGS],
})
export class WorkerModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(LoginMiddleware).forRoutes('inbox', 'inbox/*path');
  }
}
