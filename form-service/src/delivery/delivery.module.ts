import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Acknowledgement } from '../follow-ups/acknowledgement.service.ts';
import { FollowUpsRepository } from '../follow-ups/follow-ups.repository.ts';
import { FollowUpsService } from '../follow-ups/follow-ups.service.ts';
import { Webhook } from '../follow-ups/webhook.service.ts';
import { AlertsService } from './alerts.service.ts';
import { Breakers } from './circuit-breaker.ts';
import { DeliveryMonitor } from './delivery.monitor.ts';
import { DeliveryProcessor } from './delivery.processor.ts';
import { DeliveryService } from './delivery.service.ts';
import { DigestService } from './digest.service.ts';
import { Mailer } from './mailer.service.ts';
import { DeliveryQueue } from './delivery.queue.ts';
import { RetentionService } from './retention.service.ts';
import { VirusScanner } from './virus-scanner.service.ts';

/** Everything between the database and the inboxes, and what is sent beside the mail. Only the worker imports this module. */
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [
    Acknowledgement,
    AlertsService,
    Breakers,
    DeliveryMonitor,
    DeliveryProcessor,
    DeliveryQueue,
    DeliveryService,
    DigestService,
    FollowUpsRepository,
    FollowUpsService,
    Mailer,
    RetentionService,
    VirusScanner,
    Webhook,
  ],
  exports: [FollowUpsRepository],
})
export class DeliveryModule {}
