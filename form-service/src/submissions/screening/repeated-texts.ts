import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CountingRedis } from '../counting-redis.ts';
import { clientKey } from '../http/client-key.ts';
import { LocalSenders } from './local-senders.ts';

/** Clients that sent one text within an hour from which it counts as repeated; a person has two or three addresses. */
const SEVERAL = 4;

const WINDOW_SECONDS = 3_600;

/** Who sent which text lately, as digests of both; among all replicas, or for itself alone while Redis is away. */
@Injectable()
export class RepeatedTexts {
  private readonly local = new LocalSenders(WINDOW_SECONDS * 1_000);

  constructor(@Inject(CountingRedis) private readonly redis: Pick<CountingRedis, 'client'>) {}

  /** Notes that a client sent a text, and tells whether several clients did. Case and white space make no other text. */
  async isFromSeveral(text: string, address: string | undefined): Promise<boolean> {
    const digest = digestOf(text);
    const client = clientKey(address);
    const here = this.local.add(digest, client);
    const everywhere = await this.countShared(digest, client).catch(() => 0);
    return Math.max(here, everywhere) >= SEVERAL;
  }

  /** A HyperLogLog: its size is bounded however many clients there are. */
  private async countShared(digest: string, client: string): Promise<number> {
    const key = `senders:${digest}`;
    const replies = await this.redis.client.multi().pfadd(key, client).expire(key, WINDOW_SECONDS).pfcount(key).exec();
    return Number(replies?.[2]?.[1] ?? 0);
  }
}

function digestOf(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(plain).digest('base64url');
}
