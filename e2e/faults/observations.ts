import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { ParsedMail } from 'mailparser';
import type { MailObserver } from '../../form-service/test/mail-server.ts';
import type { Visitor } from './visitors.ts';

/** An answer that came in full. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** How a visitor's sending ended. */
export type Outcome =
  /** Promised: it must arrive. */
  | { readonly kind: 'accepted'; readonly reference: string }
  /** Told that it was not taken; `byService` is false where nginx had to speak for the service. */
  | { readonly kind: 'refused'; readonly status: number; readonly byService: boolean }
  /** The connection ended without an answer: it arrives whole or not at all. */
  | { readonly kind: 'unanswered' };

/** A message that the mail server has taken responsibility for. */
export interface Arrival {
  readonly reference: string;
  readonly messageId: string;
  /** Number of the visitor who gets the answer to it, as the address begins. */
  readonly visitor: number;
  /** Subject, text and address for the answer. */
  readonly text: string;
  /** Digests of the attachments. */
  readonly sha256: readonly string[];
  /** When its sender began, and when it was taken, in milliseconds since the epoch. */
  readonly begunAt: number;
  readonly at: number;
  /** The server was told to end the connection before its reply. */
  readonly wasDropped: boolean;
}

/** What nginx says by itself; the service words its refusals differently. */
const NGINX_SENTENCE = 'The service is not available at the moment. Please try again in a few seconds.';
const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;

/** Everything that was promised to visitors and everything that arrived, seen from outside the product. */
export class Observations implements MailObserver {
  readonly entries: { readonly visitor: Visitor; readonly outcome: Outcome }[] = [];
  readonly arrivals: Arrival[] = [];
  /** References of messages that the mail server did not take. */
  readonly refusedMails = new Set<string>();
  /** Answers other than 202 that a person could not make sense of. */
  readonly unclear: string[] = [];
  sent = 0;
  private onArrival: (() => void) | undefined;

  taken(mail: ParsedMail, begunAt: number, wasDropped: boolean): void {
    const answerTo = mail.replyTo?.value[0]?.address ?? '';
    this.arrivals.push({
      reference: referenceOf(mail),
      messageId: mail.messageId ?? '',
      visitor: Number.parseInt(answerTo, 10),
      text: [mail.text ?? '', mail.subject, answerTo].join('\n'),
      sha256: mail.attachments.map(({ content }) => createHash('sha256').update(content).digest('hex')),
      begunAt,
      at: Date.now(),
      wasDropped,
    });
    this.onArrival?.();
  }

  refused(mail: ParsedMail): void {
    this.refusedMails.add(referenceOf(mail));
  }

  /** Resolves at the moment the next message is taken, when its sender does not know yet. */
  nextArrival(): Promise<void> {
    return new Promise((resolve) => (this.onArrival = resolve));
  }

  /** Notes one answer, or its absence, and says what it means. */
  answered(answer: Answer | undefined): Outcome {
    this.sent++;
    if (answer === undefined) return { kind: 'unanswered' };
    const body = parse(answer);
    const { status, headers } = answer;
    if (status === 202 && typeof body?.reference === 'string') return { kind: 'accepted', reference: body.reference };
    const hasSentence = body?.success === false && typeof body.message === 'string' && body.message.length > 0;
    const mustSayWhen = status === 429 || status === 503;
    if (!hasSentence || (mustSayWhen && !headers.get('retry-after')))
      this.unclear.push(`${status} ${headers.get('content-type')}`);
    return { kind: 'refused', status, byService: body?.message !== NGINX_SENTENCE };
  }

  /** References that visitors were promised. */
  get accepted(): Set<string> {
    return new Set(this.entries.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome.reference] : [])));
  }

  /** References that have arrived at least once. */
  get delivered(): Set<string> {
    return new Set(this.arrivals.map(({ reference }) => reference));
  }

  /** Promised, and not here yet. */
  get lost(): string[] {
    const { delivered } = this;
    return [...this.accepted].filter((reference) => !delivered.has(reference));
  }
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n');

/** When the workers said that a submission is delivered and on record as such, in milliseconds since the epoch, by reference. */
export function deliveriesIn(logFiles: readonly string[]): Map<string, number[]> {
  const recordedAt = new Map<string, number[]>();
  for (const line of logFiles
    .flatMap((file) => [`${file}.1`, file])
    .filter(existsSync)
    .flatMap(linesOf)) {
    // The last line of a killed process may be half a one.
    if (!line.includes('"event":"delivered"') || !line.endsWith('}')) continue;
    const { time, reference } = JSON.parse(line) as Readonly<Record<'time' | 'reference', string>>;
    recordedAt.set(reference, [...(recordedAt.get(reference) ?? []), Date.parse(time)]);
  }
  return recordedAt;
}

const referenceOf = ({ messageId = '' }: ParsedMail) => REFERENCE.exec(messageId)?.[0] ?? '';

function parse({ headers, body }: Answer): Partial<Record<'success' | 'message' | 'reference', unknown>> | undefined {
  if (!headers.get('content-type')?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(body) as object;
  } catch {
    return undefined;
  }
}
