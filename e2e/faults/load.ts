import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Observations, Outcome } from './observations.ts';
import { visitorOf, type Visitor } from './visitors.ts';

interface LoadOptions {
  /** Of each machine; visitors are spread over them. */
  readonly siteUrls: readonly string[];
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
async function visit(options: LoadOptions, number: number, mayRepeat = false): Promise<Outcome> {
  const { siteUrls, observed, seed, resumeMaxBytes } = options;
  const [visitor, body] = visitorOf(seed, number, resumeMaxBytes);
  const url = new URL(visitor.path, siteUrls[number % siteUrls.length]);
  const givesUpAt = performance.now() + (mayRepeat && visitor.isPatient ? PATIENCE_MS : 0);
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    const outcome = observed.answered(await post(url, visitor, body));
    if (isFinal(outcome) || performance.now() > givesUpAt) {
      observed.entries.push({ visitor, outcome });
      return outcome;
    }
    await pause(wait);
  }
}

/** Posts once, on a connection of its own. Resolves with undefined when no full answer came in that time. */
async function post(url: URL, { address, idempotencyKey }: Visitor, body: string | FormData) {
  const headers = {
    'Idempotency-Key': idempotencyKey,
    'X-Forwarded-For': address,
    Accept: 'application/json',
    Connection: 'close',
    ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
  };
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(ANSWER_MS) });
    return { status: answer.status, headers: answer.headers, body: await answer.text() } satisfies Answer;
  } catch {
    return undefined;
  }
}

/** So many visitors at a steady rate, whether or not the ones before them have been answered. Half of them send again. */
export async function steadyLoad(options: LoadOptions, count: number, perSecond: number): Promise<void> {
  const startedAt = performance.now();
  const visits: Promise<Outcome>[] = [];
  for (let number = 0; number < count; number++) {
    await pause(Math.max(0, startedAt + (number * 1000) / perSecond - performance.now()));
    visits.push(visit(options, number, true));
  }
  await Promise.all(visits);
}

/** As many visitors as the service takes, none of whom tries again, with 8 at once, until it is ended. */
export function fullLoad(options: LoadOptions, first: number): { end(): void; ended: Promise<unknown> } {
  let next = first;
  const over = new AbortController();
  const visits = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) await visit(options, next++);
  });
  return { end: () => over.abort(), ended: Promise.all(visits) };
}

/** Whether sending the same again makes no sense. */
export function isFinal(outcome: Outcome): boolean {
  if (outcome.kind === 'accepted') return true;
  return outcome.kind === 'refused' && outcome.status < 500 && outcome.status !== 408 && outcome.status !== 429;
}
