import { setTimeout as pause } from 'node:timers/promises';

/** Polls until a value is truthy, and returns it. Names what was expected after the time limit. */
export async function until<T>(what: string, look: () => T | Promise<T>, limitMs = 120_000): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + limitMs; ;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Not seen within ${limitMs} ms: ${what}`);
    await pause(20);
  }
}
