import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ParsedMail } from 'mailparser';
import type { MailObserver } from '../../form-service/test/mail-server.ts';
import { words } from '../../form-service/test/words.ts';
import type { Visitor } from './visitors.ts';

/** A complete response. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Outcome of a request. */
export type Outcome =
  /** The submission must arrive. */
  | { readonly kind: 'accepted'; readonly reference: string }
  /** An error; `byService` is false if nginx generated it. */
  | { readonly kind: 'refused'; readonly status: number; readonly byService: boolean }
  /** No response: the submission arrives completely or not at all. */
  | { readonly kind: 'unanswered' };

/** A message that the mail server accepted. */
export interface Arrival {
  readonly reference: string;
  readonly messageId: string;
  /** Number of the visitor, at the beginning of the Reply-To address. */
  readonly visitor: number;
  /** Text, subject and Reply-To address. */
  readonly text: string;
  /** SHA-256 of the attachments. */
  readonly sha256: readonly string[];
  /** Time at which the transaction began, in milliseconds since the epoch. */
  readonly begunAt: number;
  /** Time at which the server accepted the message. */
  readonly at: number;
  /** Whether the server closed the connection before its reply. */
  readonly wasDropped: boolean;
}

/** Message of nginx's own 503. The service has different messages. */
const NGINX_MESSAGE = words.errors.server.unavailable;
const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;

/** Promises to visitors and received mails, as seen from outside the product. */
export class Observations implements MailObserver {
  readonly entries: { readonly visitor: Visitor; readonly outcome: Outcome }[] = [];
  readonly arrivals: Arrival[] = [];
  /** References of messages that the mail server rejected. */
  readonly refusedMails = new Set<string>();
  /** Errors without a message, or without Retry-After. */
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

  /** Resolves when the server accepts the next message, before the sender knows. */
  nextArrival(): Promise<void> {
    return new Promise((resolve) => (this.onArrival = resolve));
  }

  /** Records a response, or its absence, and returns the outcome. */
  record(response: ReceivedResponse | undefined): Outcome {
    this.sent++;
    if (response === undefined) return { kind: 'unanswered' };
    const body = parse(response);
    const { status, headers } = response;
    if (status === 202 && typeof body?.reference === 'string') return { kind: 'accepted', reference: body.reference };
    const hasMessage = body?.success === false && typeof body.message === 'string' && body.message.length > 0;
    const needsRetryAfter = status === 429 || status === 503;
    if (!hasMessage || (needsRetryAfter && !headers.get('retry-after')))
      this.unclear.push(`${status} ${headers.get('content-type')}`);
    return { kind: 'refused', status, byService: body?.message !== NGINX_MESSAGE };
  }

  /** References of accepted submissions. */
  get accepted(): Set<string> {
    return new Set(this.entries.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome.reference] : [])));
  }

  /** References of submissions that have arrived at least once. */
  get delivered(): Set<string> {
    return new Set(this.arrivals.map(({ reference }) => reference));
  }

  /** References of accepted submissions that have not arrived. */
  get lost(): string[] {
    const { delivered } = this;
    return [...this.accepted].filter((reference) => !delivered.has(reference));
  }
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n');

/** Reads from the logs when workers recorded deliveries, in milliseconds since the epoch, by reference. */
export function deliveriesIn(logFiles: readonly string[]): Map<string, number[]> {
  const recordedAt = new Map<string, number[]>();
  for (const line of logFiles.flatMap(linesOf)) {
    // The last line of a killed process may be incomplete.
    if (!line.includes('"event":"delivered"') || !line.endsWith('}')) continue;
    const { time, reference } = JSON.parse(line) as Readonly<Record<'time' | 'reference', string>>;
    recordedAt.set(reference, [...(recordedAt.get(reference) ?? []), Date.parse(time)]);
  }
  return recordedAt;
}

const referenceOf = ({ messageId = '' }: ParsedMail) => REFERENCE.exec(messageId)?.[0] ?? '';

function parse({
  headers,
  body,
}: ReceivedResponse): Partial<Record<'success' | 'message' | 'reference', unknown>> | undefined {
  if (!headers.get('content-type')?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(body) as object;
  } catch {
    return undefined;
  }
}
