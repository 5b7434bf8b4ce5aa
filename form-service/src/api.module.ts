import { Global, Module, type MiddlewareConsumer, type NestModule, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { readSettings, SETTINGS } from './settings/settings.ts';
import { OPEN_FORMS } from './contract/forms.ts';
import { DeliveryQueue } from './delivery/delivery.queue.ts';
import { partsProvider } from './health/checks.ts';
import { HealthController } from './health/health.controller.ts';
import { HealthService } from './health/health.service.ts';
import { StorageHealth } from './health/storage-health.service.ts';
import { ClientLimits, RateLimitMiddleware } from './http/client-limits.ts';
import { HttpExceptionFilter, RENDER_ERROR } from './http/exception.filter.ts';
import { RequestBodyMiddleware } from './http/request-body.middleware.ts';
import { RequestContextMiddleware } from './http/request-context.middleware.ts';
import { IntakeService } from './intake/intake.service.ts';
import { FileUpload } from './intake/file-upload.service.ts';
import { submissionErrors } from './intake/pages/pages.ts';
import { SubmissionsController } from './intake/submissions.controller.ts';
import { TaskRunner } from './outbox/task-runner.ts';
import { FormTokenService } from './intake/form-token.service.ts';
import { SpamFilter } from './intake/spam-filter.service.ts';
import { StorageModule } from './storage.module.ts';

/**
 * The api: accepts submissions of all forms over HTTP and delivers none. A request passes the access log, rate limit,
 * body parser, validation, spam filter, database, response and queue, in this order.
 */
@Global()
@Module({
  imports: [StorageModule],
  controllers: [SubmissionsController, HealthController],
  providers: [
    { provide: SETTINGS, useFactory: () => readSettings() },
    ClientLimits,
    DeliveryQueue,
    FileUpload,
    FormTokenService,
    HealthService,
    IntakeService,
    SpamFilter,
    TaskRunner,
    partsProvider({ storage: StorageHealth, tasks: TaskRunner, counters: ClientLimits }),
    { provide: APP_FILTER, useClass: HttpExceptionFilter },
    { provide: RENDER_ERROR, inject: [SETTINGS], useFactory: submissionErrors },
  ],
  exports: [SETTINGS],
})
export class ApiModule implements NestModule, OnApplicationBootstrap {
  constructor(
    private readonly tasks: TaskRunner,
    private readonly storage: StorageHealth,
  ) {}

  /** The only periodic task of the api. Those of the worker are in `tasks.ts`. */
  onApplicationBootstrap(): void {
    this.tasks.start([this.storage.task]);
  }

  configure(consumer: MiddlewareConsumer): void {
    const withoutFile = OPEN_FORMS.filter(({ file }) => !file);
    consumer.apply(RequestContextMiddleware, RateLimitMiddleware).forRoutes(...OPEN_FORMS.map(({ path }) => path));
    consumer.apply(RequestBodyMiddleware).forRoutes(...withoutFile.map(({ path }) => path));
  }
}
