import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module.ts';
import { Acknowledgement } from './acknowledgement.service.ts';
import { FollowUpsRepository } from './follow-ups.repository.ts';
import { FollowUpsService } from './follow-ups.service.ts';
import { Webhook } from './webhook.service.ts';

/** What is sent beside the mail to the inbox. Only the worker imports this module. */
@Module({
  imports: [DeliveryModule],
  providers: [Acknowledgement, FollowUpsRepository, FollowUpsService, Webhook],
  exports: [FollowUpsRepository],
})
export class FollowUpsModule {}
