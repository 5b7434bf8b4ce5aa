import { Module } from '@nestjs/common';
import { RedisModule } from '../redis/redis.module.ts';
import { FormSecretService } from './form-secret.service.ts';
import { FormTokenService } from './form-token.service.ts';
import { RecentMembers } from './recent-members.service.ts';
import { SpamFilter } from './spam-filter.service.ts';

/** The spam filter and the form tokens. */
@Module({
  imports: [RedisModule],
  providers: [FormSecretService, FormTokenService, RecentMembers, SpamFilter],
  exports: [FormTokenService, SpamFilter],
})
export class SpamModule {}
