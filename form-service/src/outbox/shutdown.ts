import { setTimeout as pause } from 'node:timers/promises';

/**
 * Times of the graceful shutdown, together less than the 30 s that Docker waits. Work in progress may finish. Then it is
 * interrupted and writes the interruption. Last, BullMQ may update Redis.
 */
const STOP_GRACE_MS = 30_000;
export const INTERRUPT_MS = 2_000;
export const REDIS_MS = 1_000;
export const FINISH_MS = STOP_GRACE_MS - INTERRUPT_MS - REDIS_MS - 3_000;
export const SHUTDOWN_MS = FINISH_MS + INTERRUPT_MS;

/** Waits for work up to a time limit. @returns whether the work ended in time */
export function endsWithin(ms: number, work: Promise<unknown> = Promise.resolve()): Promise<boolean> {
  return Promise.race([work.then(() => true), pause(ms, false, { ref: false })]);
}
