import { Module } from '@nestjs/common';
import { SharedRedis } from './shared-redis.service.ts';

/** The Redis connection that the api's replicas share their counters by. */
@Module({ providers: [SharedRedis], exports: [SharedRedis] })
export class RedisModule {}
