import { Module } from '@nestjs/common';
import { QueueModule } from '../delivery/queue.module.ts';
import { QueueDashboardService } from './queue-dashboard.service.ts';

/** The queue dashboard; off unless `QUEUE_DASHBOARD_PASSWORD` is set. */
@Module({ imports: [QueueModule], providers: [QueueDashboardService] })
export class QueueDashboardModule {}
