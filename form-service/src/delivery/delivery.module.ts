import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
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

/** Everything between the database and the inboxes. Only the worker imports this module. */
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
    Mailer,
    RetentionService,
    VirusScanner,
  ],
  exports: [Breakers],
})
export class DeliveryModule {}
