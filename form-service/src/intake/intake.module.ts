import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { json, urlencoded } from 'express';
import { DeliveryQueue } from '../delivery/delivery.queue.ts';
import { AccessLogMiddleware } from './access-log.middleware.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';
import { FormSecretService } from '../spam/form-secret.service.ts';
import { FormTokenService } from '../spam/form-token.service.ts';
import { RecentMembers } from '../spam/recent-members.service.ts';
import { SpamFilter } from '../spam/spam-filter.service.ts';
import { ConnectionDrainService } from './connection-drain.service.ts';
import { ContactController } from './contact.controller.ts';
import { FormTokenController } from './form-token.controller.ts';
import { ErrorFilter } from './error.filter.ts';
import { IntakeMetrics } from './intake.metrics.ts';
import { IntakeService } from './intake.service.ts';
import { MediaTypeMiddleware } from './media-type.middleware.ts';
import { RateLimitMiddleware } from './rate-limit.middleware.ts';
import { ResponseService } from './response.service.ts';
import { ResumeController } from './resume.controller.ts';
import { UploadQuota } from './upload/upload-quota.service.ts';
import { validationPipe } from './validation.pipe.ts';

/** The largest body of an enquiry in bytes; its fields at their limits take about a third of it. */
const BODY_MAX_BYTES = 128 * 1024;

const parseJson = json({ limit: BODY_MAX_BYTES, inflate: false, strict: false });
const parseForm = urlencoded({ limit: BODY_MAX_BYTES, inflate: false, extended: false, parameterLimit: 50 });

/**
 * Accepts the submissions of both forms. In order: access log, rate limit, body parser, validation, spam filter,
 * database, answer, queue.
 */
@Module({
  controllers: [ContactController, ResumeController, FormTokenController],
  providers: [
    ConnectionDrainService,
    DeliveryQueue,
    FormSecretService,
    FormTokenService,
    IntakeMetrics,
    IntakeService,
    RecentMembers,
    ResponseService,
    SharedRedis,
    SpamFilter,
    UploadQuota,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useValue: validationPipe },
  ],
})
export class IntakeModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(AccessLogMiddleware, RateLimitMiddleware).forRoutes('api/contact', 'api/resume');
    consumer
      .apply(MediaTypeMiddleware, parseJson, parseForm)
      .forRoutes({ path: 'api/contact', method: RequestMethod.POST });
  }
}
