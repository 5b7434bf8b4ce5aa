import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';
import { FormTokenService } from '../spam/form-token.service.ts';
import { DistinctCounts } from '../spam/distinct-counts.service.ts';
import { SpamFilter } from '../spam/spam-filter.service.ts';
import { AnswerService } from './answer.service.ts';
import { ClientLimits } from './client-limits.service.ts';
import { ConnectionDrainService } from './http-server.ts';
import { IntakeService } from './intake.service.ts';
import { ResumeUpload } from './resume-upload.service.ts';
import { SubmissionMiddleware } from './submission.middleware.ts';
import { SubmissionsController } from './submissions.controller.ts';

/**
 * Accepts the submissions of both forms. In order: access log, limits, body, validation, spam filter, database, answer,
 * queue.
 */
@Module({
  controllers: [SubmissionsController],
  providers: [
    AnswerService,
    ClientLimits,
    ConnectionDrainService,
    DeliveryQueue,
    FormTokenService,
    IntakeService,
    DistinctCounts,
    ResumeUpload,
    SharedRedis,
    SpamFilter,
    { provide: APP_FILTER, useExisting: AnswerService },
  ],
})
export class IntakeModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(SubmissionMiddleware).forRoutes('api/contact', 'api/resume');
  }
}
