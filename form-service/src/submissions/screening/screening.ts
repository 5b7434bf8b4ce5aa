import { Inject, Injectable } from '@nestjs/common';
import type { Application } from '../../contract/application.ts';
import type { Contact } from '../../contract/contact.ts';
import { RepeatedTexts } from './repeated-texts.ts';
import type { Sender } from './sender.ts';
import { contentSuspicions, scoreOf, THRESHOLD, type Suspicion } from './signals.ts';

/** What is screened of a submission. */
export type Screened = { readonly sender: Sender } & (
  | { readonly form: 'contact'; readonly fields: Contact }
  | { readonly form: 'application'; readonly fields: Application }
);

/** Tells spam by adding up signals. It only adds: a signal that is missing (no script, no browser) counts for nothing. */
@Injectable()
export class Screening {
  constructor(@Inject(RepeatedTexts) private readonly repeats: Pick<RepeatedTexts, 'isFromSeveral'>) {}

  /** Why a submission is to be set aside; empty when it is not. Never throws. */
  async suspicionsOf(screened: Screened): Promise<readonly Suspicion[]> {
    const { sender, fields } = screened;
    const suspicions = contentSuspicions(fields);
    if (sender.filledHoneypot) suspicions.unshift('honeypot filled');
    if (isUndecided(suspicions)) {
      const text = screened.form === 'contact' ? screened.fields.message : screened.fields.coverLetter;
      if (await this.repeats.isFromSeveral(text, sender.address)) suspicions.push('same text from several senders');
    }
    return scoreOf(suspicions) >= THRESHOLD ? suspicions : [];
  }
}

/** Repetition decides only where there is something else, which is then in every copy: other texts need no counting. */
function isUndecided(suspicions: readonly Suspicion[]): boolean {
  const score = scoreOf(suspicions);
  return score > 0 && score < THRESHOLD;
}
