import { Injectable } from '@nestjs/common';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';

/** A set is forgotten so many seconds after its last member was added. */
const REMEMBERED_S = 3_600;

/** A set keeps at most so many members, which is more than any rule needs. */
const MEMBERS_MAX = 16;

/** While Redis is away, this process keeps at most so many sets, and drops the oldest. */
const SETS_MAX = 5_000;

/**
 * Counts the different members of short-lived sets, for all replicas together, or for this process alone while Redis is
 * away.
 */
@Injectable()
export class RecentMembers {
  private readonly local = new Map<string, { readonly since: number; readonly members: Set<string> }>();

  constructor(private readonly redis: SharedRedis) {}

  /**
   * Adds a member to a set and returns the number of different ones. Both names must be digests, because they are
   * stored.
   */
  async add(name: string, member: string): Promise<number> {
    const here = this.addLocal(name, member);
    const everywhere = await this.addShared(`${KEY_PREFIX}:${name}`, member).catch(() => 0);
    return Math.max(here, everywhere);
  }

  private async addShared(key: string, member: string): Promise<number> {
    const replies = await this.redis.client.multi().sadd(key, member).expire(key, REMEMBERED_S).scard(key).exec();
    return Number(replies?.[2]?.[1] ?? 0);
  }

  private addLocal(name: string, member: string): number {
    let entry = this.local.get(name);
    if (!entry || Date.now() - entry.since > REMEMBERED_S * 1_000) {
      this.local.delete(name);
      const [oldest] = this.local.keys();
      if (oldest !== undefined && this.local.size >= SETS_MAX) this.local.delete(oldest);
      entry = { since: Date.now(), members: new Set() };
      this.local.set(name, entry);
    }
    if (entry.members.size < MEMBERS_MAX) entry.members.add(member);
    return entry.members.size;
  }
}
