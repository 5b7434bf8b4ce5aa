import { setTimeout as pause } from 'node:timers/promises';

/** Looks until there is something, or says what never came. */
export async function until<T>(what: string, look: () => T | Promise<T>, limitMs = 120_000): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + limitMs; ;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`never seen in ${limitMs} ms: ${what}`);
    await pause(20);
  }
}
