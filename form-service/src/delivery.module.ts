import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AlertsService } from './alerts/alerts.service.ts';
import { Breakers } from './delivery/circuit-breaker.ts';
import { DeliveryMonitor } from './alerts/delivery.monitor.ts';
import { DeliveryProcessor } from './delivery/delivery.processor.ts';
import { DeliveryService } from './delivery/delivery.service.ts';
import { DigestService } from './housekeeping/digest.service.ts';
import { DigestsRepository } from './housekeeping/digests.repository.ts';
import { Mailer } from './mail/mailer.service.ts';
import { DeliveryQueue } from './delivery/delivery.queue.ts';
import { RetentionRepository } from './housekeeping/retention.repository.ts';
import { RetentionService } from './housekeeping/retention.service.ts';
import { VirusScanner } from './delivery/virus-scanner.service.ts';

/** Delivery from the database to the mailboxes. Only the worker imports this module. */
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [
    AlertsService,
    Breakers,
    DeliveryMonitor,
    DeliveryProcessor,
    DeliveryQueue,
    DeliveryService,
    DigestService,
    DigestsRepository,
    Mailer,
    RetentionService,
    RetentionRepository,
    VirusScanner,
  ],
  exports: [AlertsService, Breakers, Mailer],
})
export class DeliveryModule {}
