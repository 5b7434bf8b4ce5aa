import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Application } from '../contract/application.ts';
import type { Contact } from '../contract/contact.ts';
import { FormTokenService } from './form-token.service.ts';
import { DistinctCounts } from './distinct-counts.service.ts';
import { contentReasons, scoreOf, THRESHOLD, type SpamReason } from './signals.ts';

/** A text counts as repeated when this many clients have sent it; one person has two or three addresses. */
const SEVERAL = 4;

/** What the filter knows of a sender besides the submission itself. A missing part is no signal. */
export interface Sender {
  /** The key of the client's address. */
  readonly client: string;
  readonly filledHoneypot: boolean;
  /** The form token as it was sent, not verified yet. */
  readonly formToken?: string | undefined;
}

/** The parts of a submission that the filter reads. */
export type FilterInput = { readonly sender: Sender; readonly submissionId: string } & (
  | { readonly form: 'contact'; readonly fields: Contact }
  | { readonly form: 'application'; readonly fields: Application }
);

/** Recognises spam by adding up signals. A signal that is not available (no script, no browser) counts for nothing. */
@Injectable()
export class SpamFilter {
  constructor(
    private readonly tokens: FormTokenService,
    private readonly counts: DistinctCounts,
  ) {}

  /** The reasons for which a submission is quarantined; the list is empty when it is not. This never throws. */
  async reasonsFor(input: FilterInput): Promise<readonly SpamReason[]> {
    const { sender, fields, submissionId } = input;
    const { formToken: token } = sender;
    const found = contentReasons(fields);
    if (sender.filledHoneypot) found.unshift('honeypot filled');
    const ofToken = await this.tokens.reasonOf(token);
    if (ofToken) found.push(ofToken);
    if (isUndecided(found)) {
      const text = input.form === 'contact' ? input.fields.message : input.fields.coverLetter;
      if (await this.isFromSeveral(text, sender.client)) found.push('same text from several senders');
    }
    if (isUndecided(found) && token && !ofToken && (await this.tokens.isUsedOften(token, submissionId)))
      found.push('form token used often');
    return scoreOf(found) >= THRESHOLD ? found : [];
  }

  /**
   * Counts the clients that sent a text, and tells whether there were several. Redis gets digests of both. Texts that
   * differ only in case or white space are the same.
   */
  private async isFromSeveral(text: string, client: string): Promise<boolean> {
    const plain = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
    return (await this.counts.add(`senders:${hash('sha256', plain, 'base64url')}`, client)) >= SEVERAL;
  }
}

/** Counted signals are only looked up where other signals are present, because they cannot decide alone. */
function isUndecided(reasons: readonly SpamReason[]): boolean {
  const score = scoreOf(reasons);
  return score > 0 && score < THRESHOLD;
}
