import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { DeliveryQueue } from '../delivery/delivery-queue.ts';
import { AnswerWriter } from './answers/answer-writer.ts';
import { ContactController } from './contact.controller.ts';
import { CountingRedis } from './counting-redis.ts';
import { ErrorFilter } from './error.filter.ts';
import { FormTokenController } from './form-token.controller.ts';
import { BodyParser } from './http/body-parser.ts';
import { ConnectionDrain } from './http/connection-drain.ts';
import { RateLimit } from './http/rate-limit.ts';
import { validationPipe } from './http/validation.pipe.ts';
import { ResumeController } from './resume.controller.ts';
import { RequestTracing } from './request-trace.ts';
import { FormSecret } from './screening/form-secret.ts';
import { FormTokens } from './screening/form-tokens.ts';
import { ProofOfWork } from './screening/proof-of-work.ts';
import { RecentSets } from './screening/recent-sets.ts';
import { RepeatedTexts } from './screening/repeated-texts.ts';
import { Screening } from './screening/screening.ts';
import { SubmissionIntake } from './submission-intake.ts';
import { SubmissionMetrics } from './submission-metrics.ts';

/** The two calls, in order: trace, rate limit, parse, validate, screen, store, answer, enqueue; and the token their forms ask for. */
@Module({
  controllers: [ContactController, ResumeController, FormTokenController],
  providers: [
    AnswerWriter,
    ConnectionDrain,
    CountingRedis,
    DeliveryQueue,
    FormSecret,
    FormTokens,
    ProofOfWork,
    RecentSets,
    RepeatedTexts,
    Screening,
    SubmissionIntake,
    SubmissionMetrics,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useValue: validationPipe },
  ],
})
export class SubmissionsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(RequestTracing, RateLimit).forRoutes('api/contact', 'api/resume');
    consumer.apply(BodyParser).forRoutes({ path: 'api/contact', method: RequestMethod.POST });
  }
}
