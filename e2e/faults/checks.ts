import type { SubmissionRow } from '../../form-service/src/database/schema.ts';
import { isFinal } from './load.ts';
import type { Arrival, Observations } from './observations.ts';

/** A guarantee of the product. It holds if `broken` is empty. */
export interface Check {
  readonly promise: string;
  /** References, or numbers of visitors. */
  readonly broken: readonly (string | number)[];
}

/** State after the last fault. Lists contain references. */
export interface Aftermath {
  /** Submissions that were not delivered in time. */
  readonly stuck: readonly string[];
  /** Submissions that had failed before the resend. */
  readonly failed: readonly string[];
  readonly rows: readonly SubmissionRow[];
  readonly withoutTheirFile: readonly string[];
  readonly damage: readonly string[];
  /** Times at which the worker recorded a delivery, by reference. */
  readonly recordedAt: ReadonlyMap<string, readonly number[]>;
  /** Times at which workers died or lost the mail server. */
  readonly crashes: readonly number[];
}

export function check(promise: string, outcome: Check['broken'] | boolean): Check {
  if (typeof outcome !== 'boolean') return { promise, broken: outcome };
  return { promise, broken: outcome ? [] : ['no'] };
}

/** Compares promised submissions with delivered ones. */
export function judge(observed: Observations, { rows, ...aftermath }: Aftermath): Check[] {
  const { entries, delivered, arrivals } = observed;
  const listed = new Set(rows.map(({ id }) => id));
  const visitorsOf = (some: typeof entries) => some.map(({ visitor }) => visitor.number);
  const arrived = new Set(arrivals.map(({ visitor }) => visitor));
  return [
    check('every accepted submission arrives', observed.lost),
    check('every mail is complete, text and attachment', brokenMails(observed)),
    check('a reference belongs to the mail of its visitor', mixedUp(observed)),
    check('a retry creates no second submission', splitVisitors(arrivals)),
    check(
      'no submission that the service refused arrives',
      visitorsOf(
        entries.filter(
          ({ visitor: { isPatient, number }, outcome }) =>
            !isPatient && outcome.kind === 'refused' && outcome.byService && arrived.has(number),
        ),
      ),
    ),
    check('every error has a message, and Retry-After if a retry can help', observed.unclear),
    check(
      'no valid form is rejected permanently',
      visitorsOf(entries.filter(({ outcome }) => outcome.kind === 'refused' && isFinal(outcome))),
    ),
    check(
      'every visitor who retries succeeds',
      visitorsOf(entries.filter(({ visitor, outcome }) => visitor.isPatient && !isFinal(outcome))),
    ),
    check('no submission is stuck', aftermath.stuck),
    check(
      'only mails that the server rejected permanently are failed',
      aftermath.failed.filter((reference) => !observed.refusedMails.has(reference)),
    ),
    check(
      'every stored submission ends delivered and without a lease',
      rows.filter(({ state, leaseToken }) => state !== 'delivered' || leaseToken !== null).map(({ id }) => id),
    ),
    check('stored and delivered submissions are the same', [
      ...[...listed].filter((reference) => !delivered.has(reference)),
      ...[...delivered].filter((reference) => !listed.has(reference)),
    ]),
    check('every duplicate has a crash between delivery and record', judgeCopies(arrivals, aftermath)),
    check('duplicates have the Message-ID of the first mail', duplicatesWithNewId(arrivals, aftermath.failed)),
    check('every résumé is stored unchanged', aftermath.withoutTheirFile),
    check('the database passes its integrity check', aftermath.damage),
  ];
}

/**
 * Returns the references of mails that differ from what their visitor sent. A mail without the file is whole if the server
 * refused the message with the file before, and if the mail says so.
 */
export function brokenMails({ entries, arrivals, refusedMails }: Observations): string[] {
  const byNumber = new Map(entries.map(({ visitor }) => [visitor.number, visitor]));
  const isWhole = ({ reference, visitor, text, sha256 }: Arrival) => {
    const sender = byNumber.get(visitor);
    if (!sender?.marks.every((mark) => text.includes(mark))) return false;
    const saysWhy = refusedMails.has(reference) && text.includes('the mail server does not accept this file');
    return sha256.join() === (sender.sha256 ?? '') || (sha256.length === 0 && saysWhy);
  };
  return arrivals.filter((arrival) => !isWhole(arrival)).map(({ reference }) => reference);
}

/**
 * Returns the references of duplicates with another Message-ID than the first mail, which mail programs cannot recognise.
 * The last mail of a submission in `sentAgain` is exempt: a resend by the operator has a new Message-ID.
 */
export function duplicatesWithNewId(arrivals: readonly Arrival[], sentAgain: readonly string[] = []): string[] {
  const first = new Map(arrivals.toReversed().map(({ reference, messageId }) => [reference, messageId]));
  const last = new Map(arrivals.map(({ reference, messageId }) => [reference, messageId]));
  const isResend = ({ reference, messageId }: Arrival) =>
    sentAgain.includes(reference) && last.get(reference) === messageId;
  return arrivals
    .filter((arrival) => first.get(arrival.reference) !== arrival.messageId && !isResend(arrival))
    .map(({ reference }) => reference);
}

/**
 * Returns the references of unexplained duplicates. At-least-once delivery explains a duplicate if its sender died or lost
 * the connection after the previous mail and before the delivery was recorded.
 */
function judgeCopies(
  arrivals: readonly Arrival[],
  { recordedAt, crashes }: Pick<Aftermath, 'recordedAt' | 'crashes'>,
): string[] {
  const interruptions = [...crashes, ...arrivals.filter(({ wasDropped }) => wasDropped).map(({ at }) => at)];
  const recordAfter = ({ reference, at }: Arrival) =>
    Math.min(Infinity, ...(recordedAt.get(reference) ?? []).filter((mark) => mark >= at));
  // The sender can die after it has sent all data and before the server accepts it.
  const wasInterrupted = (arrival: Arrival, before: number) =>
    interruptions.some((at) => at >= arrival.begunAt && at <= Math.min(before, recordAfter(arrival)));
  const latest = new Map<string, Arrival>();
  const unexplained: string[] = [];
  for (const copy of arrivals) {
    const previous = latest.get(copy.reference);
    if (previous && !(recordAfter(previous) >= copy.at && wasInterrupted(previous, copy.at)))
      unexplained.push(copy.reference);
    latest.set(copy.reference, copy);
  }
  return unexplained;
}

function mixedUp({ entries, arrivals }: Observations): string[] {
  const promises = entries.flatMap(({ visitor: { number }, outcome }) =>
    outcome.kind === 'accepted' ? [{ number, reference: outcome.reference }] : [],
  );
  const owner = new Map(promises.map(({ number, reference }) => [reference, number]));
  const promised = new Map(promises.map(({ number, reference }) => [number, reference]));
  return arrivals
    .filter(
      ({ reference, visitor }) =>
        (owner.get(reference) ?? visitor) !== visitor || (promised.get(visitor) ?? reference) !== reference,
    )
    .map(({ reference }) => reference);
}

/** Returns the visitors whose mails have several references. */
function splitVisitors(arrivals: readonly Arrival[]): number[] {
  const known = new Map(arrivals.map(({ visitor, reference }) => [visitor, reference]));
  return arrivals.filter(({ visitor, reference }) => known.get(visitor) !== reference).map(({ visitor }) => visitor);
}
