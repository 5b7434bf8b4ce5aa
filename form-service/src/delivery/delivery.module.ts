import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AlertsProcessor } from './alerts.processor.ts';
import { AlertsService } from './alerts.service.ts';
import { DeliveryMetrics } from './delivery.metrics.ts';
import { DeliveryMonitor } from './delivery.monitor.ts';
import { DeliveryProcessor } from './delivery.processor.ts';
import { DeliveryService } from './delivery.service.ts';
import { DueSubmissionsScheduler } from './due-submissions.scheduler.ts';
import { MailDispatch } from './mail-dispatch.service.ts';
import { MailServerBreaker } from './mail-server.breaker.ts';
import { Mailer } from './mailer.service.ts';
import { DeliveryQueue } from './delivery.queue.ts';
import { RetentionService } from './retention.service.ts';
import { ScannerBreaker } from './scanner.breaker.ts';
import { VirusScanner } from './virus-scanner.service.ts';

/** Everything between the database and the inboxes. Only the worker imports this module. */
@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [
    AlertsProcessor,
    AlertsService,
    DeliveryMetrics,
    DeliveryMonitor,
    DeliveryProcessor,
    DeliveryQueue,
    DeliveryService,
    DueSubmissionsScheduler,
    MailDispatch,
    MailServerBreaker,
    Mailer,
    RetentionService,
    ScannerBreaker,
    VirusScanner,
  ],
})
export class DeliveryModule {}
