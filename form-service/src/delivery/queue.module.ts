import { Module } from '@nestjs/common';
import { DeliveryQueue } from './delivery.queue.ts';

/** The queue between api and worker, from the side that adds to it. */
@Module({ providers: [DeliveryQueue], exports: [DeliveryQueue] })
export class QueueModule {}
