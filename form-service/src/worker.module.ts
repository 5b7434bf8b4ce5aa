import { Global, Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AlertsService } from './alerts/alerts.service.ts';
import { Monitor } from './alerts/monitor.service.ts';
import { SubmissionAlerts } from './alerts/submission-alerts.service.ts';
import { WorkerChecks } from './checks/worker-checks.service.ts';
import { readWorkerSettings, SETTINGS } from './config/settings.ts';
import { Breakers } from './delivery/breakers.ts';
import { DeliveryProcessor } from './delivery/delivery.processor.ts';
import { DeliveryQueue } from './delivery/delivery.queue.ts';
import { DeliveryService } from './delivery/delivery.service.ts';
import { Refusals } from './delivery/refusals.ts';
import { VirusScanner } from './delivery/virus-scanner.service.ts';
import { DigestService } from './housekeeping/digest.service.ts';
import { DigestsRepository } from './housekeeping/digests.repository.ts';
import { RetentionService } from './housekeeping/retention.service.ts';
import { ErrorRenderer, HttpExceptionFilter } from './http/exception.filter.ts';
import { ConnectionSweepService } from './http/http-server.ts';
import { Drafts } from './sign-in/drafts.service.ts';
import { InboxErrorRenderer } from './sign-in/inbox-error.renderer.ts';
import { InboxAccess } from './inbox/inbox-access.service.ts';
import { ListController } from './inbox/list.controller.ts';
import { FileController } from './inbox/file.controller.ts';
import { SubmissionController } from './inbox/submission.controller.ts';
import { InboxVisitsRepository } from './inbox/inbox-visits.repository.ts';
import { LoginMiddleware } from './sign-in/login.middleware.ts';
import { OidcTransactions } from './sign-in/oidc-transactions.service.ts';
import { OpenIdConnect } from './sign-in/open-id-connect.service.ts';
import { Sessions } from './sign-in/sessions.service.ts';
import { SignInAttempts } from './sign-in/sign-in-attempts.service.ts';
import { SignInController } from './sign-in/sign-in.controller.ts';
import { Mailer } from './mail/mailer.service.ts';
import { Acknowledgement } from './notifications/acknowledgement.service.ts';
import { NotificationsService } from './notifications/notifications.service.ts';
import { Webhook } from './notifications/webhook.service.ts';
import { ObservabilityModule } from './observability/observability.module.ts';
import { LeasedWork } from './outbox/leased-work.ts';
import { TaskRunner } from './outbox/task-runner.ts';
import { ErasureService } from './submissions/erasure.service.ts';
import { ErasuresRepository } from './submissions/erasures.repository.ts';
import { HandlingRepository } from './submissions/handling.repository.ts';
import { NotificationsRepository } from './outbox/notifications.repository.ts';
import { SubmissionActions } from './submissions/submission-actions.service.ts';
import { StorageModule } from './storage.module.ts';
import { WorkerTasks } from './tasks.ts';

/**
 * The worker: delivers submissions and sends notifications. Its HTTP server has health checks, metrics, and the inbox for
 * sales and HR. Only the inbox is public behind nginx. It is off unless `INBOX_USERS` is set.
 */
@Global()
@Module({
  imports: [StorageModule, ObservabilityModule],
  // Before the submission, whose addresses begin with a reference.
  controllers: [SignInController, ListController, SubmissionController, FileController],
  providers: [
    { provide: SETTINGS, useFactory: () => readWorkerSettings() },
    Acknowledgement,
    AlertsService,
    Breakers,
    ConnectionSweepService,
    DeliveryProcessor,
    DeliveryQueue,
    DeliveryService,
    DigestService,
    DigestsRepository,
    Drafts,
    ErasureService,
    ErasuresRepository,
    HandlingRepository,
    InboxAccess,
    InboxVisitsRepository,
    LeasedWork,
    Mailer,
    Monitor,
    NotificationsRepository,
    NotificationsService,
    OidcTransactions,
    OpenIdConnect,
    Refusals,
    RetentionService,
    Sessions,
    SignInAttempts,
    SubmissionActions,
    SubmissionAlerts,
    TaskRunner,
    VirusScanner,
    Webhook,
    WorkerChecks,
    WorkerTasks,
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
