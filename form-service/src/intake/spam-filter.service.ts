import { Injectable } from '@nestjs/common';
import { valueOf, type Filled } from '../contract/forms.ts';
import type { SpamReason } from '../submissions/submission.ts';
import { FormTokenService } from './form-token.service.ts';

/** Maximum number of links that is not suspicious. */
const MANY_LINKS = 3;

const LINK = /\b(?:https?:\/\/|www\.)\S/gi;

/** Signals next to which a missing form token counts like an invalid one. People send few links, and none as their name. */
const DOUBTFUL: ReadonlySet<SpamReason> = new Set(['many links', 'link in a name or phone number']);

/** Elements, handlers and forum tags of spam and probes. Linear time: no text matches in two ways (ReDoS). */
const MARKUP =
  /<[\s/]*(?:a\s|script|iframe|object|embed|svg|img\s|style|meta)|javascript:|\bon(?:click|error|load|focus|mouseover)\s*=|\[url[=\]]/i;

/** Returns the signals in the texts of a submission. */
export function contentReasons(submission: Filled): SpamReason[] {
  const texts = Object.values(submission.fields);
  const found: SpamReason[] = [];
  const links = texts.reduce((sum, text) => sum + (text.match(LINK)?.length ?? 0), 0);
  if (links > MANY_LINKS) found.push('many links');
  if ((['sender', 'phone'] as const).some((role) => valueOf(submission, role).search(LINK) >= 0))
    found.push('link in a name or phone number');
  if (texts.some((text) => MARKUP.test(text))) found.push('markup of a web page');
  return found;
}

/** Facts about the sender. A missing one is no signal. */
export interface SenderFacts {
  /** Key of the client's address. */
  readonly client: string;
  readonly filledHoneypot: boolean;
  /** Form token, not verified yet. */
  readonly formToken?: string | undefined;
}

/**
 * Recognises spam by its signals: the honeypot, or two others, because people do write about code and send links. A missing
 * form token is a signal only next to doubtful links, because other programs may call the API.
 */
@Injectable()
export class SpamFilter {
  constructor(private readonly tokens: FormTokenService) {}

  /** Returns the reasons for quarantine; empty if the submission is accepted. Never throws. */
  async reasonsFor(submission: Filled, sender: SenderFacts): Promise<readonly SpamReason[]> {
    const found = contentReasons(submission);
    if (sender.filledHoneypot) found.unshift('honeypot filled');
    // A token that does not exist is an invalid one.
    const isDoubtful = found.some((reason) => DOUBTFUL.has(reason));
    const ofToken = await this.tokens.reasonOf(sender.formToken ?? (isDoubtful ? '' : undefined));
    if (ofToken) found.push(ofToken);
    return sender.filledHoneypot || found.length > 1 ? found : [];
  }
}
