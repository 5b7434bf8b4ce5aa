import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { FollowUpsModule } from '../follow-ups/follow-ups.module.ts';
import { InboxController } from './inbox.controller.ts';
import { InboxService } from './inbox.service.ts';
import { LoginMiddleware } from './login.middleware.ts';

/** The pages for sales and HR; off unless `INBOX_USERS` is set. */
@Module({ imports: [FollowUpsModule], controllers: [InboxController], providers: [InboxService] })
export class InboxModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(LoginMiddleware).forRoutes('inbox', 'inbox/*path');
  }
}
