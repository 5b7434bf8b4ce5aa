import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { valueOf, type Filled } from '../contract/forms.ts';
import { FormTokenService } from './form-token.service.ts';
import { DistinctCounts } from './distinct-counts.service.ts';
import type { SpamReason } from '../submissions/submission.ts';
import { contentReasons, scoreOf, THRESHOLD } from './signals.ts';

/** Number of clients from which a text counts as repeated. One person has two or three addresses. */
const SEVERAL = 4;

/** Facts about the sender. A missing one is no signal. */
export interface SenderFacts {
  /** Key of the client's address. */
  readonly client: string;
  readonly filledHoneypot: boolean;
  /** Form token, not verified yet. */
  readonly formToken?: string | undefined;
}

/** Parts of a submission that the filter reads. */
export interface FilterInput extends Filled {
  readonly sender: SenderFacts;
}

/** Recognises spam by the sum of its signals. A signal that is not available (no script) counts as 0. */
@Injectable()
export class SpamFilter {
  constructor(
    private readonly tokens: FormTokenService,
    private readonly counts: DistinctCounts,
  ) {}

  /** Returns the reasons for quarantine; empty if the submission is accepted. Never throws. */
  async reasonsFor(input: FilterInput): Promise<readonly SpamReason[]> {
    const { sender } = input;
    const found = contentReasons(input);
    if (sender.filledHoneypot) found.unshift('honeypot filled');
    const ofToken = await this.tokens.reasonOf(sender.formToken);
    if (ofToken) found.push(ofToken);
    // Without a message, all submissions of a form would have the same text.
    const text = isUndecided(found) ? comparable(valueOf(input, 'body')) : '';
    if (text !== '' && (await this.isFromSeveral(text, sender.client))) found.push('same text from several senders');
    return scoreOf(found) >= THRESHOLD ? found : [];
  }

  /** Whether several clients sent a text. Redis gets digests of both. */
  private async isFromSeveral(text: string, client: string): Promise<boolean> {
    return (await this.counts.add(`senders:${hash('sha256', text, 'base64url')}`, client)) >= SEVERAL;
  }
}

/** Returns a text without differences of case and white space. */
const comparable = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Whether a counted signal could decide. It is looked up only then, because it never decides by itself. */
function isUndecided(reasons: readonly SpamReason[]): boolean {
  const score = scoreOf(reasons);
  return score > 0 && score < THRESHOLD;
}
