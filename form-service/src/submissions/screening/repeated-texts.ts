import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { clientKey } from '../http/client-key.ts';
import { RecentSets } from './recent-sets.ts';

/** Clients that sent one text from which it counts as repeated; a person has two or three addresses. */
const SEVERAL = 4;

/** Who sent which text lately, as digests of both. */
@Injectable()
export class RepeatedTexts {
  constructor(@Inject(RecentSets) private readonly sets: Pick<RecentSets, 'add'>) {}

  /** Notes that a client sent a text, and tells whether several clients did. Case and white space make no other text. */
  async isFromSeveral(text: string, address: string | undefined): Promise<boolean> {
    return (await this.sets.add(`senders:${digestOf(text)}`, clientKey(address))) >= SEVERAL;
  }
}

function digestOf(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  return hash('sha256', plain, 'base64url');
}
