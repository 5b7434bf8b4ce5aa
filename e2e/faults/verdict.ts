import type { Duplicates } from './duplicates.ts';
import type { Entry, Ledger } from './ledger.ts';
import { isFinal } from './load.ts';
import type { Arrival } from './smtp-sink.ts';

/** What the database shows when all is quiet again; lists hold references. */
export interface Aftermath {
  /** Not delivered in time, and why the run stopped waiting. */
  readonly stuck: readonly string[];
  /** Listed as failed before they were sent again. */
  readonly failed: readonly string[];
  /** Listed as delivered, failed or quarantined at the end. */
  readonly listed: ReadonlyMap<string, string>;
  /** Somebody still says that he is delivering them. */
  readonly leased: readonly string[];
  readonly withoutTheirFile: readonly string[];
  readonly damage: readonly string[];
  /** Files that belong to no submission: not a broken promise, since a clean-up comes by every hour. */
  readonly unnamedFiles: readonly string[];
  readonly duplicates: Duplicates;
  readonly faultsPlanned: number;
  readonly faultsHappened: number;
}

/** One promise of the product: kept when nothing breaks it. */
export interface Check {
  readonly promise: string;
  /** References, paths or visitors' numbers. */
  readonly broken: readonly (string | number)[];
}

/** Compares what was promised with what arrived. */
export function judge(ledger: Ledger, aftermath: Aftermath): Check[] {
  const { accepted, delivered, entries } = ledger;
  const { duplicates, listed } = aftermath;
  return [
    {
      promise: 'all faults happened',
      broken: aftermath.faultsHappened === aftermath.faultsPlanned ? [] : [aftermath.faultsHappened],
    },
    {
      promise: 'everything that was accepted arrived',
      broken: [...accepted].filter((reference) => !delivered.has(reference)),
    },
    { promise: 'what arrived is whole, text and attachment', broken: brokenMails(ledger) },
    { promise: 'a reference names the mail of the visitor who got it', broken: mixedUp(ledger) },
    { promise: 'a visitor who sends again is one submission', broken: [...splitVisitors(ledger)] },
    { promise: 'what the service said it would not keep did not arrive', broken: keptAgainstItsWord(ledger) },
    { promise: 'every answer other than 202 is a sentence, with Retry-After where it helps', broken: ledger.unclear },
    {
      promise: 'nobody with a good form was turned away for good',
      broken: entries.filter(isTurnedAway).map(({ visitor }) => visitor.number),
    },
    {
      promise: 'who kept trying got through',
      broken: entries
        .filter(({ visitor, outcome }) => visitor.isPatient && !isFinal(outcome))
        .map(({ visitor }) => visitor.number),
    },
    { promise: 'nothing is stuck', broken: aftermath.stuck },
    {
      promise: 'only what the mail server refused for good is listed as failed',
      broken: aftermath.failed.filter((reference) => !ledger.refusedForGood.has(reference)),
    },
    {
      promise: 'in the end all that is listed is delivered',
      broken: [...listed].filter(([, state]) => state !== 'delivered').map(([reference]) => reference),
    },
    {
      promise: 'what is listed arrived, and what arrived is listed',
      broken: difference(new Set(listed.keys()), delivered),
    },
    { promise: 'no copy without a crash between the sending and the record', broken: duplicates.unexcused },
    {
      promise: 'no more copies than such crashes',
      broken: duplicates.count <= duplicates.interrupted ? [] : [duplicates.count],
    },
    { promise: 'copies have the Message-ID of the first', broken: duplicates.unrecognisable },
    { promise: 'nobody holds a lease', broken: aftermath.leased },
    { promise: 'every résumé is there as it was accepted', broken: aftermath.withoutTheirFile },
    { promise: 'the database finds no damage in itself', broken: aftermath.damage },
  ];
}

/** References of mails that are not what their visitor sent. */
export function brokenMails({ entries, arrivals }: Ledger): string[] {
  const byNumber = new Map(entries.map(({ visitor }) => [visitor.number, visitor]));
  return arrivals
    .filter(({ visitor, hasMarks, sha256 }) => {
      const sender = byNumber.get(visitor);
      return sender === undefined || !hasMarks(sender.marks) || sha256.join() !== (sender.sha256 ?? '');
    })
    .map(({ reference }) => reference);
}

/** References of copies with another Message-ID than the first, which nobody can tell to be copies. */
export function unrecognisableCopies(arrivals: readonly Arrival[]): string[] {
  const first = new Map<string, string>();
  return arrivals.flatMap(({ reference, messageId }) => {
    if (!first.has(reference)) first.set(reference, messageId);
    return first.get(reference) === messageId ? [] : [reference];
  });
}

function isTurnedAway({ outcome }: Entry): boolean {
  return outcome.kind === 'refused' && isFinal(outcome);
}

function mixedUp({ entries, arrivals }: Ledger): string[] {
  const byNumber = new Map(entries.map((entry) => [entry.visitor.number, entry]));
  const owner = new Map(
    entries.flatMap(({ visitor, outcome }) =>
      outcome.kind === 'accepted' ? [[outcome.reference, visitor.number] as const] : [],
    ),
  );
  return arrivals
    .filter(({ reference, visitor }) => {
      const outcome = byNumber.get(visitor)?.outcome;
      return (
        (owner.get(reference) ?? visitor) !== visitor ||
        (outcome?.kind === 'accepted' && outcome.reference !== reference)
      );
    })
    .map(({ reference }) => reference);
}

/** Visitors whose mails have more than one reference. */
function splitVisitors({ arrivals }: Ledger): Set<number> {
  const known = new Map<number, string>();
  const split = new Set<number>();
  for (const { visitor, reference } of arrivals) {
    if ((known.get(visitor) ?? reference) !== reference) split.add(visitor);
    known.set(visitor, reference);
  }
  return split;
}

function keptAgainstItsWord({ entries, arrivals }: Ledger): number[] {
  const arrived = new Set(arrivals.map(({ visitor }) => visitor));
  return entries
    .filter(
      ({ visitor, outcome }) =>
        !visitor.isPatient && outcome.kind === 'refused' && outcome.byService && arrived.has(visitor.number),
    )
    .map(({ visitor }) => visitor.number);
}

function difference(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return [...[...a].filter((item) => !b.has(item)), ...[...b].filter((item) => !a.has(item))];
}
