import { setTimeout as pause } from 'node:timers/promises';
import type { ReceivedResponse, Observations, Outcome } from './observations.ts';
import { visitorOf, type Visitor } from './visitors.ts';

interface LoadOptions {
  /** URL of each machine. Visitors are distributed over them. */
  readonly siteUrls: readonly string[];
  readonly observed: Observations;
  readonly seed: number;
  /** Maximum size of a résumé. */
  readonly resumeMaxBytes: number;
}

/** Request timeout in milliseconds, longer than a process is frozen. */
const RESPONSE_MAX_MS = 12_000;
const FIRST_DELAY_MS = 300;
const MAX_DELAY_MS = 2_000;

/** Time after which a visitor stops retrying, because the product has not recovered. */
const RETRY_MAX_MS = 300_000;

/** Simulates one visitor. Resolves with the final outcome, or when the visitor gives up. */
async function visit(options: LoadOptions, number: number, mayRepeat = false): Promise<Outcome> {
  const { siteUrls, observed, seed, resumeMaxBytes } = options;
  const [visitor, body] = visitorOf(seed, number, resumeMaxBytes);
  const url = new URL(visitor.path, siteUrls[number % siteUrls.length]);
  const givesUpAt = performance.now() + (mayRepeat && visitor.isPatient ? RETRY_MAX_MS : 0);
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
    const outcome = observed.record(await post(url, visitor, body));
    if (isFinal(outcome) || performance.now() > givesUpAt) {
      observed.entries.push({ visitor, outcome });
      return outcome;
    }
    await pause(delayMs);
  }
}

/** Posts once on a new connection. Resolves with undefined if there is no complete response in time. */
async function post(url: URL, { address, idempotencyKey }: Visitor, body: string | FormData) {
  const headers = {
    'Idempotency-Key': idempotencyKey,
    'X-Forwarded-For': address,
    Accept: 'application/json',
    Connection: 'close',
    ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
  };
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(RESPONSE_MAX_MS) });
    return { status: answer.status, headers: answer.headers, body: await answer.text() } satisfies ReceivedResponse;
  } catch {
    return undefined;
  }
}

/** Open-loop load: starts `count` visitors at a constant rate. Half of them retry. */
export async function steadyLoad(options: LoadOptions, count: number, perSecond: number): Promise<void> {
  const startedAt = performance.now();
  const visits: Promise<Outcome>[] = [];
  for (let number = 0; number < count; number++) {
    await pause(Math.max(0, startedAt + (number * 1000) / perSecond - performance.now()));
    visits.push(visit(options, number, true));
  }
  await Promise.all(visits);
}

/** Closed-loop load: 8 concurrent visitors without retries, until it is ended. */
export function fullLoad(options: LoadOptions, first: number): { end(): void; ended: Promise<unknown> } {
  let next = first;
  const over = new AbortController();
  const visits = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) await visit(options, next++);
  });
  return { end: () => over.abort(), ended: Promise.all(visits) };
}

/** Whether a retry cannot change the outcome. */
export function isFinal(outcome: Outcome): boolean {
  if (outcome.kind === 'accepted') return true;
  return outcome.kind === 'refused' && outcome.status < 500 && outcome.status !== 408 && outcome.status !== 429;
}
