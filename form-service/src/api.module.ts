import { Global, Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { SETTINGS, settingsProvider } from './config/settings.ts';
import { DeliveryQueue } from './delivery/delivery.queue.ts';
import { AnswerService } from './intake/answer.service.ts';
import { ClientLimits } from './intake/client-limits.service.ts';
import { ConnectionDrainService } from './intake/http-server.ts';
import { IntakeService } from './intake/intake.service.ts';
import { ResumeUpload } from './intake/resume-upload.service.ts';
import { SubmissionMiddleware } from './intake/submission.middleware.ts';
import { SubmissionsController } from './intake/submissions.controller.ts';
import { ObservabilityModule } from './observability/observability.module.ts';
import { SharedRedis } from './redis/shared-redis.service.ts';
import { DistinctCounts } from './spam/distinct-counts.service.ts';
import { FormTokenService } from './spam/form-token.service.ts';
import { SpamFilter } from './spam/spam-filter.service.ts';
import { SubmissionsModule } from './submissions/submissions.module.ts';

/**
 * The process that accepts the submissions of both forms over HTTP and delivers none. In order: access log, limits,
 * body, validation, spam filter, database, answer, queue.
 */
@Global()
@Module({
  imports: [SubmissionsModule, ObservabilityModule],
  controllers: [SubmissionsController],
  providers: [
    settingsProvider,
    AnswerService,
    ClientLimits,
    ConnectionDrainService,
    DeliveryQueue,
    DistinctCounts,
    FormTokenService,
    IntakeService,
    ResumeUpload,
    SharedRedis,
    SpamFilter,
    { provide: APP_FILTER, useExisting: AnswerService },
  ],
  exports: [SETTINGS],
})
export class ApiModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(SubmissionMiddleware).forRoutes('api/contact', 'api/resume');
  }
}
