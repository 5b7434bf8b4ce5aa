import { setTimeout as pause } from 'node:timers/promises';
import { post } from './http-post.ts';
import type { Observations, Outcome } from './observations.ts';
import { visitorOf } from './visitors.ts';

interface LoadOptions {
  readonly siteUrl: string;
  readonly observed: Observations;
  readonly seed: number;
  /** Largest résumé. */
  readonly resumeMaxBytes: number;
}

/** Longest wait for an answer, in milliseconds: longer than a process is frozen. */
const ANSWER_MS = 12_000;
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 2_000;

/** A patient visitor that has no final answer this long after the first try shows that something never recovered. */
const PATIENCE_MS = 300_000;

/** One visitor comes. Resolves when there is a final answer, or when the visitor has given up. */
export async function visit(
  { siteUrl, observed, seed, resumeMaxBytes }: LoadOptions,
  number: number,
  mayRepeat = false,
): Promise<Outcome> {
  const { visitor, body } = await visitorOf(seed, number, resumeMaxBytes);
  const givesUpAt = performance.now() + (mayRepeat && visitor.isPatient ? PATIENCE_MS : 0);
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    const outcome = observed.answered(await post(new URL(visitor.path, siteUrl), body, visitor, ANSWER_MS));
    if (isFinal(outcome) || performance.now() > givesUpAt) {
      observed.entries.push({ visitor, outcome });
      return outcome;
    }
    await pause(wait);
  }
}

/** So many visitors at a steady rate, whether or not the ones before them have been answered. Half of them send again. */
export async function steadyLoad(options: LoadOptions, count: number, perSecond: number): Promise<void> {
  const startedAt = performance.now();
  const visits: Promise<Outcome>[] = [];
  for (let number = 0; number < count; number++) {
    await pause(startedAt + (number * 1000) / perSecond - performance.now());
    visits.push(visit(options, number, true));
  }
  await Promise.all(visits);
}

/** As many visitors as the service takes, none of whom tries again, with 8 at once: until it is ended, or there were so many. */
export function fullLoad(
  options: LoadOptions,
  first: number,
  count = Infinity,
): { end(): void; ended: Promise<unknown> } {
  let next = first;
  const over = new AbortController();
  const visits = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted && next < first + count) await visit(options, next++);
  });
  return { end: () => over.abort(), ended: Promise.all(visits) };
}

/** References of so many submissions that are accepted now. */
export async function accept(options: LoadOptions, count: number): Promise<string[]> {
  const before = options.observed.accepted;
  await fullLoad(options, options.observed.entries.length, count).ended;
  const references = [...options.observed.accepted].filter((reference) => !before.has(reference));
  if (references.length !== count) throw new Error(`${references.length} of ${count} were accepted`);
  return references;
}

/** Whether sending the same again makes no sense. */
export function isFinal(outcome: Outcome): boolean {
  if (outcome.kind === 'accepted') return true;
  return outcome.kind === 'refused' && outcome.status < 500 && outcome.status !== 408 && outcome.status !== 429;
}
