import type { Answer } from './http-post.ts';
import type { Arrival, MailObserver } from './smtp-sink.ts';
import type { Visitor } from './visitors.ts';

/** How a visitor's sending ended. */
export type Outcome =
  /** Promised: it must arrive. */
  | { readonly kind: 'accepted'; readonly reference: string }
  /** Told that it was not taken; `byService` is false where nginx had to speak for the service. */
  | { readonly kind: 'refused'; readonly status: number; readonly byService: boolean }
  /** The connection ended without an answer: it arrives whole or not at all. */
  | { readonly kind: 'unanswered' };

export interface Entry {
  readonly visitor: Visitor;
  readonly outcome: Outcome;
}

/** What nginx says by itself; the service words its refusals differently. */
const NGINX_SENTENCE = 'The service is not available at the moment. Please try again in a few seconds.';

/** Everything that was promised to visitors and everything that arrived, seen from outside the product. */
export class Ledger implements MailObserver {
  readonly entries: Entry[] = [];
  readonly arrivals: Arrival[] = [];
  /** References of messages that the mail server refused for good. */
  readonly refusedForGood = new Set<string>();
  /** Answers other than 202, and those of them that a person could not make sense of. */
  refusals = 0;
  readonly unclear: string[] = [];
  unanswered = 0;
  sent = 0;

  arrived(arrival: Arrival): void {
    this.arrivals.push(arrival);
  }

  wasRefusedForGood(reference: string): void {
    this.refusedForGood.add(reference);
  }

  /** Notes one answer, or its absence, and says what it means. */
  answered(answer: Answer | undefined): Outcome {
    this.sent++;
    if (answer === undefined) {
      this.unanswered++;
      return { kind: 'unanswered' };
    }
    const body = parse(answer);
    if (answer.status === 202 && typeof body?.reference === 'string')
      return { kind: 'accepted', reference: body.reference };
    this.refusals++;
    const hasSentence = body?.success === false && typeof body.message === 'string' && body.message.length > 0;
    const mustSayWhen = answer.status === 429 || answer.status === 503;
    if (!hasSentence || (mustSayWhen && !answer.retryAfter))
      this.unclear.push(`${answer.status} ${answer.contentType}`);
    return { kind: 'refused', status: answer.status, byService: body?.message !== NGINX_SENTENCE };
  }

  /** References that visitors were promised. */
  get accepted(): Set<string> {
    return new Set(this.entries.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome.reference] : [])));
  }

  /** References that have arrived at least once. */
  get delivered(): Set<string> {
    return new Set(this.arrivals.map(({ reference }) => reference));
  }
}

function parse({
  contentType,
  body,
}: Answer): { success?: unknown; message?: unknown; reference?: unknown } | undefined {
  if (!contentType.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(body) as { success?: unknown };
  } catch {
    return undefined;
  }
}
