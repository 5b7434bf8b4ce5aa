import { Module } from '@nestjs/common';
import { SharedRedis } from './shared-redis.service.ts';

/** What the api's replicas count together. */
@Module({ providers: [SharedRedis], exports: [SharedRedis] })
export class RedisModule {}
