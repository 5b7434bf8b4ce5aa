import { Module } from '@nestjs/common';
import { Canary } from '../canary/canary.ts';
import { CanaryMetrics } from '../canary/canary-metrics.ts';
import { QueueDashboard } from '../queue-dashboard/queue-dashboard.ts';
import { AlertWebhook } from './alert-webhook.ts';
import { Alerts } from './alerts.ts';
import { Backlog } from './backlog.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { DeliveryMonitor } from './delivery-monitor.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { DeliveryProcessor } from './delivery.processor.ts';
import { DeliveryService } from './delivery.service.ts';
import { FailureHandling } from './failure-handling.ts';
import { MailDispatch } from './mail-dispatch.ts';
import { MailServerWatch } from './mail-server-watch.ts';
import { Mailer } from './mailer.service.ts';
import { Reconciler } from './reconciler.ts';
import { Retention } from './retention.ts';
import { ScannerWatch } from './scanner-watch.ts';
import { Sweeper } from './sweeper.ts';
import { VirusScanner } from './virus-scanner.ts';

/** Everything between the store and the inboxes; only the worker's module imports it. */
@Module({
  providers: [
    AlertWebhook,
    Alerts,
    Backlog,
    Canary,
    CanaryMetrics,
    DeliveryMetrics,
    DeliveryMonitor,
    DeliveryProcessor,
    DeliveryQueue,
    DeliveryService,
    DeliveryWorker,
    FailureHandling,
    MailDispatch,
    MailServerWatch,
    Mailer,
    QueueDashboard,
    Reconciler,
    Retention,
    ScannerWatch,
    Sweeper,
    VirusScanner,
  ],
})
export class DeliveryModule {}
