import { Global, Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AlertsService } from './alerts/alerts.service.ts';
import { Monitor } from './health/monitor.service.ts';
import { placeholdersIn, readWorkerSettings, SETTINGS, type Settings } from './settings/settings.ts';
import { Database } from './database/database.ts';
import { Acknowledgement } from './delivery/acknowledgement.service.ts';
import { DeliveryProcessor } from './delivery/delivery.processor.ts';
import { DeliveryQueue } from './delivery/delivery.queue.ts';
import { DeliveryService } from './delivery/delivery.service.ts';
import { DigestService } from './delivery/digest.service.ts';
import { NotificationsService } from './delivery/notifications.service.ts';
import { VirusScanner } from './delivery/virus-scanner.service.ts';
import { Webhook } from './delivery/webhook.service.ts';
import { partsProvider } from './health/checks.ts';
import { HealthController } from './health/health.controller.ts';
import { HealthService } from './health/health.service.ts';
import { StorageHealth } from './health/storage-health.service.ts';
import { HttpExceptionFilter, RENDER_ERROR } from './http/exception.filter.ts';
import { inboxErrors } from './sign-in/page.ts';
import { InboxAccess } from './inbox/inbox-access.service.ts';
import { ListController } from './inbox/list.controller.ts';
import { FileController } from './inbox/file.controller.ts';
import { SubmissionController } from './inbox/submission.controller.ts';
import { LoginMiddleware } from './sign-in/login.middleware.ts';
import { OpenIdConnect } from './sign-in/open-id-connect.service.ts';
import { PasswordQueue } from './sign-in/password.ts';
import { Sessions } from './sign-in/sessions.service.ts';
import { SignInController } from './sign-in/sign-in.controller.ts';
import { Mailer } from './mail/mailer.service.ts';
import { DigestsRepository } from './outbox/digests.repository.ts';
import { Outbox } from './outbox/outbox.service.ts';
import { TaskRunner } from './outbox/task-runner.ts';
import { Log } from './observability/log.ts';
import { ErasureService } from './submissions/erasure.service.ts';
import { HandlingRepository } from './submissions/handling.repository.ts';
import { NotificationsRepository } from './outbox/notifications.repository.ts';
import { RetentionService } from './submissions/retention.service.ts';
import { SubmissionSearchRepository } from './submissions/submission-search.repository.ts';
import { SubmissionsRepository } from './submissions/submissions.repository.ts';
import { SubmissionActions } from './submissions/submission-actions.service.ts';
import { StorageModule } from './storage.module.ts';
import { WorkerTasks } from './tasks.ts';

function warnOfPlaceholders(settings: Settings): readonly string[] {
  const placeholders = placeholdersIn(settings);
  for (const cause of placeholders) new Log('Checks').warn({ event: 'setting to fix', cause });
  return placeholders;
}

/**
 * The worker: delivers submissions and sends notifications. Its HTTP server has health checks, metrics, and the inbox for
 * sales and HR. Only the inbox is public behind nginx. It is off unless `INBOX_USERS` is set.
 */
@Global()
@Module({
  imports: [StorageModule],
  // Before the submission, whose addresses begin with a reference.
  controllers: [HealthController, SignInController, ListController, SubmissionController, FileController],
  providers: [
    { provide: SETTINGS, useFactory: () => readWorkerSettings() },
    Acknowledgement,
    AlertsService,
    DeliveryProcessor,
    DeliveryQueue,
    DeliveryService,
    DigestService,
    DigestsRepository,
    ErasureService,
    HandlingRepository,
    HealthService,
    InboxAccess,
    Mailer,
    Monitor,
    NotificationsRepository,
    NotificationsService,
    OpenIdConnect,
    Outbox,
    PasswordQueue,
    RetentionService,
    Sessions,
    SubmissionActions,
    TaskRunner,
    VirusScanner,
    Webhook,
    WorkerTasks,
    { provide: 'placeholders', inject: [SETTINGS], useFactory: warnOfPlaceholders },
    partsProvider({
      placeholders: 'placeholders',
      recipients: SETTINGS,
      alerts: AlertsService,
      database: Database,
      erasures: ErasureService,
      mailServer: Mailer,
      notifications: NotificationsRepository,
      queue: DeliveryQueue,
      scanner: VirusScanner,
      search: SubmissionSearchRepository,
      storage: StorageHealth,
      submissions: SubmissionsRepository,
      tasks: TaskRunner,
    }),
    { provide: APP_FILTER, useClass: HttpExceptionFilter },
    { provide: RENDER_ERROR, inject: [SETTINGS], useFactory: inboxErrors },
  ],
  exports: [SETTINGS],
})
export class WorkerModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(LoginMiddleware).forRoutes('inbox', 'inbox/*path');
  }
}
