import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module.ts';
import { InboxController } from './inbox.controller.ts';
import { InboxService } from './inbox.service.ts';
import { LoginMiddleware } from './login.middleware.ts';

/** The pages for sales and HR; off unless `INBOX_USERS` is set. */
@Module({ imports: [DeliveryModule], controllers: [InboxController], providers: [InboxService] })
export class InboxModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(LoginMiddleware).forRoutes('inbox', 'inbox/*path');
  }
}
