import { Module } from '@nestjs/common';
import { DeliveryQueue } from './delivery.queue.ts';

/** The producer's side of the queue between api and worker. */
@Module({ providers: [DeliveryQueue], exports: [DeliveryQueue] })
export class QueueModule {}
