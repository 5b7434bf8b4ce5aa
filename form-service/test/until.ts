import { setTimeout as pause } from 'node:timers/promises';

/** Pauses between two looks: a tenth of the time so far, within these limits. */
const [PAUSE_MIN_MS, PAUSE_MAX_MS] = [20, 100];

/** Polls until a value is truthy, and returns it. Names what was expected after the time limit. */
export async function until<T>(what: string, look: () => T | Promise<T>, limitMs = 600_000): Promise<NonNullable<T>> {
  for (const startedAt = Date.now(); ;) {
    const found = await look();
    if (found) return found;
    const passedMs = Date.now() - startedAt;
    if (passedMs > limitMs) throw new Error(`Not seen within ${limitMs} ms: ${what}`);
    await pause(Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, passedMs / 10)));
  }
}
