import { Module } from '@nestjs/common';
import { DeliveryModule } from './delivery.module.ts';
import { SubmissionActions } from './submissions/submission-actions.service.ts';
import { Acknowledgement } from './notifications/acknowledgement.service.ts';
import { NotificationsMonitor } from './alerts/notifications.monitor.ts';
import { NotificationsRepository } from './submissions/notifications.repository.ts';
import { NotificationsService } from './notifications/notifications.service.ts';
import { Webhook } from './notifications/webhook.service.ts';

/** Notifications sent in addition to the mail (transactional outbox). Only the worker imports this module. */
@Module({
  imports: [DeliveryModule],
  providers: [
    Acknowledgement,
    NotificationsMonitor,
    NotificationsRepository,
    NotificationsService,
    SubmissionActions,
    Webhook,
  ],
  exports: [NotificationsRepository, SubmissionActions],
})
export class NotificationsModule {}
