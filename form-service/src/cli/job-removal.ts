import { once } from 'node:events';
import { readSettings } from '../config/env.ts';
import { DeliveryQueue } from '../delivery/delivery-queue.ts';

const CONNECT_MS = 2_000;

/** Removes the jobs of erased submissions. False when Redis is away or unknown: no data are in it. */
export async function removeJobs(ids: readonly string[], environment: NodeJS.ProcessEnv): Promise<boolean> {
  let queue: DeliveryQueue | undefined;
  try {
    queue = new DeliveryQueue(readSettings(environment));
    await connected(queue);
    for (const id of ids) await queue.remove(id);
    return true;
  } catch {
    return false;
  } finally {
    await queue?.onApplicationShutdown();
  }
}

async function connected(queue: DeliveryQueue): Promise<void> {
  const ready = new EventTarget();
  queue.onConnected(() => ready.dispatchEvent(new Event('ready')));
  if (!queue.isConnected) await once(ready, 'ready', { signal: AbortSignal.timeout(CONNECT_MS) });
}
