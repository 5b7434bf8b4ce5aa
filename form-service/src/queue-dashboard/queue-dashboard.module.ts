import { Module } from '@nestjs/common';
import { QueueModule } from '../delivery/queue.module.ts';
import { QueueDashboardService } from './queue-dashboard.service.ts';

/** The page about the queue; off unless `QUEUE_DASHBOARD_PASSWORD` is set. */
@Module({ imports: [QueueModule], providers: [QueueDashboardService] })
export class QueueDashboardModule {}
