import { Inject, Injectable } from '@nestjs/common';
import type { Application } from '../../contract/application.ts';
import type { Contact } from '../../contract/contact.ts';
import { FormTokens } from './form-tokens.ts';
import { ProofOfWork } from './proof-of-work.ts';
import { RepeatedTexts } from './repeated-texts.ts';
import type { Sender } from './sender.ts';
import { contentSuspicions, scoreOf, THRESHOLD, type Suspicion } from './signals.ts';

/** What is screened of a submission. */
export type Screened = { readonly sender: Sender; readonly submissionId: string } & (
  | { readonly form: 'contact'; readonly fields: Contact }
  | { readonly form: 'application'; readonly fields: Application }
);

/**
 * Tells spam by adding up signals. A signal that is missing (no script, no browser) counts for nothing, but for the proof
 * of work where the operator asks for one; and then only beside something else.
 */
@Injectable()
export class Screening {
  constructor(
    @Inject(RepeatedTexts) private readonly repeats: Pick<RepeatedTexts, 'isFromSeveral'>,
    @Inject(FormTokens) private readonly tokens: Pick<FormTokens, 'suspicionOf' | 'isUsedOften'>,
    @Inject(ProofOfWork) private readonly proofs: Pick<ProofOfWork, 'isAskedFor' | 'isSolved'>,
  ) {}

  /** Why a submission is to be set aside; empty when it is not. Never throws. */
  async suspicionsOf(screened: Screened): Promise<readonly Suspicion[]> {
    const { sender, fields, submissionId } = screened;
    const { formToken: token, proof } = sender;
    const found = contentSuspicions(fields);
    if (sender.filledHoneypot) found.unshift('honeypot filled');
    const ofToken = await this.tokens.suspicionOf(token);
    if (ofToken) found.push(ofToken);
    if (isUndecided(found)) {
      const text = screened.form === 'contact' ? screened.fields.message : screened.fields.coverLetter;
      if (await this.repeats.isFromSeveral(text, sender.address)) found.push('same text from several senders');
    }
    if (isUndecided(found) && token && !ofToken && (await this.tokens.isUsedOften(token, submissionId))) found.push('form token used often');
    if (isUndecided(found) && this.proofs.isAskedFor && !(await this.proofs.isSolved(proof, submissionId))) found.push('no proof of work');
    return scoreOf(found) >= THRESHOLD ? found : [];
  }
}

/** What has to be counted or computed decides only where there is something else, and is left out elsewhere. */
function isUndecided(suspicions: readonly Suspicion[]): boolean {
  const score = scoreOf(suspicions);
  return score > 0 && score < THRESHOLD;
}
