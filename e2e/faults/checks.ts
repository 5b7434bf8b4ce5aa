import type { SubmissionRow } from '../../form-service/src/database/schema.ts';
import { isFinal } from './load.ts';
import type { Arrival, Observations } from './observations.ts';

/** One promise of the product: kept when nothing breaks it. */
export interface Check {
  readonly promise: string;
  /** References, paths or visitors' numbers. */
  readonly broken: readonly (string | number)[];
}

/** What the database shows when all is quiet again; lists hold references. */
export interface Aftermath {
  /** Not delivered in time. */
  readonly stuck: readonly string[];
  /** Listed as failed before they were sent again. */
  readonly failed: readonly string[];
  readonly rows: readonly SubmissionRow[];
  readonly withoutTheirFile: readonly string[];
  readonly damage: readonly string[];
  /** When the worker noted a delivery, by reference. */
  readonly recordedAt: ReadonlyMap<string, readonly number[]>;
  /** When workers died or lost the mail server. */
  readonly crashes: readonly number[];
}

export const check = (promise: string, broken: Check['broken'] | boolean): Check => ({
  promise,
  broken: typeof broken === 'boolean' ? (broken ? [] : ['no']) : broken,
});

/** Compares what was promised with what arrived. */
export function judge(observed: Observations, { rows, ...aftermath }: Aftermath): Check[] {
  const { entries, delivered, arrivals } = observed;
  const listed = new Set(rows.map(({ id }) => id));
  const visitorsOf = (some: typeof entries) => some.map(({ visitor }) => visitor.number);
  const arrived = new Set(arrivals.map(({ visitor }) => visitor));
  return [
    check('everything that was accepted arrived', observed.lost),
    check('what arrived is whole, text and attachment', brokenMails(observed)),
    check('a reference names the mail of the visitor who got it', mixedUp(observed)),
    check('a visitor who sends again is one submission', splitVisitors(arrivals)),
    check(
      'what the service said it would not keep did not arrive',
      visitorsOf(
        entries.filter(
          ({ visitor: { isPatient, number }, outcome }) =>
            !isPatient && outcome.kind === 'refused' && outcome.byService && arrived.has(number),
        ),
      ),
    ),
    check('every answer other than 202 is a sentence, with Retry-After where it helps', observed.unclear),
    check(
      'nobody with a good form was turned away for good',
      visitorsOf(entries.filter(({ outcome }) => outcome.kind === 'refused' && isFinal(outcome))),
    ),
    check(
      'who kept trying got through',
      visitorsOf(entries.filter(({ visitor, outcome }) => visitor.isPatient && !isFinal(outcome))),
    ),
    check('nothing is stuck', aftermath.stuck),
    check(
      'only what the mail server refused for good is listed as failed',
      aftermath.failed.filter((reference) => !observed.refusedMails.has(reference)),
    ),
    check(
      'in the end all that is listed is delivered, and nobody holds a lease',
      rows.filter(({ state, leaseToken }) => state !== 'delivered' || leaseToken !== null).map(({ id }) => id),
    ),
    check('what is listed arrived, and what arrived is listed', [
      ...[...listed].filter((reference) => !delivered.has(reference)),
      ...[...delivered].filter((reference) => !listed.has(reference)),
    ]),
    check('no copy without a crash between the sending and the record', judgeCopies(arrivals, aftermath)),
    check('copies have the Message-ID of the first', unrecognisableCopies(arrivals, aftermath.failed)),
    check('every résumé is there as it was accepted', aftermath.withoutTheirFile),
    check('the database finds no damage in itself', aftermath.damage),
  ];
}

/** References of mails that are not what their visitor sent. */
export function brokenMails({ entries, arrivals }: Observations): string[] {
  const byNumber = new Map(entries.map(({ visitor }) => [visitor.number, visitor]));
  const isWhole = ({ visitor, text, sha256 }: Arrival) => {
    const sender = byNumber.get(visitor);
    return sender?.marks.every((mark) => text.includes(mark)) && sha256.join() === (sender.sha256 ?? '');
  };
  return arrivals.filter((arrival) => !isWhole(arrival)).map(({ reference }) => reference);
}

/**
 * References of copies with another Message-ID than the first, which nobody can tell to be copies. The last mail of what
 * an operator sent again, because it had failed after a mail that was taken, has another on purpose.
 */
export function unrecognisableCopies(arrivals: readonly Arrival[], sentAgain: readonly string[] = []): string[] {
  const first = new Map(arrivals.toReversed().map(({ reference, messageId }) => [reference, messageId]));
  const last = new Map(arrivals.map(({ reference, messageId }) => [reference, messageId]));
  const isOnPurpose = ({ reference, messageId }: Arrival) =>
    sentAgain.includes(reference) && last.get(reference) === messageId;
  return arrivals
    .filter((arrival) => first.get(arrival.reference) !== arrival.messageId && !isOnPurpose(arrival))
    .map(({ reference }) => reference);
}

/**
 * References of copies without an excuse of their own: since the message before it, its sender died or lost the connection
 * before the delivery was on record.
 */
function judgeCopies(
  arrivals: readonly Arrival[],
  { recordedAt, crashes }: Pick<Aftermath, 'recordedAt' | 'crashes'>,
): string[] {
  const interruptions = [...crashes, ...arrivals.filter(({ wasDropped }) => wasDropped).map(({ at }) => at)];
  const recordAfter = ({ reference, at }: Arrival) =>
    Math.min(Infinity, ...(recordedAt.get(reference) ?? []).filter((mark) => mark >= at));
  // A sender that dies when all is on its way is not there any more when the server takes it.
  const wasInterrupted = (arrival: Arrival, before: number) =>
    interruptions.some((at) => at >= arrival.begunAt && at <= Math.min(before, recordAfter(arrival)));
  const latest = new Map<string, Arrival>();
  const unexcused: string[] = [];
  for (const copy of arrivals) {
    const previous = latest.get(copy.reference);
    if (previous && !(recordAfter(previous) >= copy.at && wasInterrupted(previous, copy.at)))
      unexcused.push(copy.reference);
    latest.set(copy.reference, copy);
  }
  return unexcused;
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

/** Visitors whose mails have more than one reference. */
function splitVisitors(arrivals: readonly Arrival[]): number[] {
  const known = new Map(arrivals.map(({ visitor, reference }) => [visitor, reference]));
  return arrivals.filter(({ visitor, reference }) => known.get(visitor) !== reference).map(({ visitor }) => visitor);
}
