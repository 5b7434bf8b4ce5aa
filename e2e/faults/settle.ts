import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { Records } from './records.ts';

/** Nothing gets on any more, in milliseconds: longer than the longest pauses that faults lead to. */
const STUCK_MS = 240_000;
const LOOK_MS = 1_000;

/** How the run came to rest; lists hold references. */
export interface Settled {
  /** Pending, or failed again, when the waiting ended; none when all went out. */
  readonly stuck: readonly string[];
  /** What was listed as failed, and sent again. */
  readonly failed: readonly string[];
  /** When the last message arrived that nobody had to send again, in milliseconds since the epoch. */
  readonly lastArrivalAt: number;
}

/** Waits until nothing is pending, then sends what failed again, as an operator would, and waits for that. */
export async function settle(records: Records, ledger: Ledger, say: (sentence: string) => void): Promise<Settled> {
  const pending = await waitForNone(() => records.in('pending'));
  const lastArrivalAt = Math.max(0, ...ledger.arrivals.map(({ at }) => at));
  const failed = await records.in('failed');
  if (failed.length === 0) return { stuck: pending, failed, lastArrivalAt };
  say(`sending ${failed.length} failed ones again`);
  await records.requeueFailed(failed);
  const stuck = await waitForNone(async () => [...(await records.in('pending')), ...(await records.in('failed'))]);
  return { stuck: [...new Set([...pending, ...stuck])], failed, lastArrivalAt };
}

/** Looks until there is none. What is still there when it has not become less for so long is returned. */
export async function waitForNone(look: () => string[] | Promise<string[]>, stuckMs = STUCK_MS): Promise<string[]> {
  let [least, since] = [Infinity, performance.now()];
  for (;;) {
    const left = await look();
    if (left.length < least) [least, since] = [left.length, performance.now()];
    if (left.length === 0 || performance.now() - since > stuckMs) return left;
    await pause(LOOK_MS);
  }
}
