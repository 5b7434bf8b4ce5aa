import type { Happened } from './fault-injector.ts';
import type { Arrival } from './smtp-sink.ts';
import { unrecognisableCopies } from './verdict.ts';

/** Messages that came more than once; lists hold references. */
export interface Duplicates {
  /** Copies beyond the first. */
  readonly count: number;
  /** Messages that a crash or a lost connection met between the sending and our record of it: at most so many copies. */
  readonly interrupted: number;
  /** Sent again although on record as delivered, or with no crash before. */
  readonly unexcused: readonly string[];
  readonly unrecognisable: readonly string[];
}

/**
 * Judges every copy by what happened since the one before it.
 *
 * @param marks when the worker noted a delivery, by reference
 */
export function judgeDuplicates(
  arrivals: readonly Arrival[],
  marks: ReadonlyMap<string, readonly number[]>,
  happened: readonly Happened[],
): Duplicates {
  const crashes = [
    ...happened.flatMap((one) => one.crashes),
    ...arrivals.filter(({ wasDropped }) => wasDropped).map(({ at }) => at),
  ];
  const markAfter = ({ reference, at }: Arrival) =>
    Math.min(Infinity, ...(marks.get(reference) ?? []).filter((mark) => mark >= at));
  const wasInterrupted = (arrival: Arrival, before = Infinity) => {
    const until = Math.min(before, markAfter(arrival));
    // A sender that dies when all is on its way is not there any more when the server takes it.
    return crashes.some((at) => at >= arrival.begunAt && at <= until);
  };
  const latest = new Map<string, Arrival>();
  const copies: { copy: Arrival; previous: Arrival }[] = [];
  for (const arrival of arrivals) {
    const previous = latest.get(arrival.reference);
    if (previous !== undefined) copies.push({ copy: arrival, previous });
    latest.set(arrival.reference, arrival);
  }
  const isExcused = (copy: Arrival, previous: Arrival) =>
    markAfter(previous) >= copy.at && wasInterrupted(previous, copy.at);
  return {
    count: copies.length,
    interrupted: arrivals.filter((arrival) => wasInterrupted(arrival)).length,
    unexcused: copies.filter(({ copy, previous }) => !isExcused(copy, previous)).map(({ copy }) => copy.reference),
    unrecognisable: unrecognisableCopies(arrivals),
  };
}
