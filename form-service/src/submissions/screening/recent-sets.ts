import { Inject, Injectable } from '@nestjs/common';
import { CountingRedis } from '../counting-redis.ts';
import { LocalSets } from './local-sets.ts';

/** How long a set is remembered after its last member came, in seconds. */
export const REMEMBERED_SECONDS = 3_600;

/** Counts what came together lately, among all replicas, or for itself alone while Redis is away. */
@Injectable()
export class RecentSets {
  private readonly local = new LocalSets(REMEMBERED_SECONDS * 1_000);

  constructor(@Inject(CountingRedis) private readonly redis: Pick<CountingRedis, 'client'>) {}

  /** Adds a member to a set, and tells how many different ones it has. Both should be digests: they are stored. */
  async add(name: string, member: string): Promise<number> {
    const here = this.local.add(name, member);
    const everywhere = await this.addShared(name, member).catch(() => 0);
    return Math.max(here, everywhere);
  }

  /** A HyperLogLog: its size is bounded however many members there are. */
  private async addShared(name: string, member: string): Promise<number> {
    const replies = await this.redis.client.multi().pfadd(name, member).expire(name, REMEMBERED_SECONDS).pfcount(name).exec();
    return Number(replies?.[2]?.[1] ?? 0);
  }
}
