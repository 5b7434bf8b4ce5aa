import { setTimeout as pause } from 'node:timers/promises';
import type { Happened } from '../faults/breaker.ts';
import { Random } from '../faults/random.ts';
import { REPLICAS, type ReplicatedProduct, type Service } from './replicated-product.ts';

/** One api and one worker die in each of these, in milliseconds. */
export const KILL_EVERY_MS = 10_000;

const SERVICES: readonly Service[] = ['api', 'worker'];

/** How many kills there are while a load lasts. */
export function plannedKills(loadMs: number): number {
  return Math.floor(loadMs / KILL_EVERY_MS) * SERVICES.length;
}

/** Kills one replica of each service, each time one of the seed's choice, until as many as planned are dead. */
export async function killReplicas(product: ReplicatedProduct, seed: number, count: number, say: (sentence: string) => void): Promise<Happened[]> {
  const random = new Random(seed, 'kills');
  const happened: Happened[] = [];
  const startedAt = performance.now();
  for (let round = 1; happened.length < count; round++) {
    await pause(startedAt + round * KILL_EVERY_MS - performance.now());
    for (const service of SERVICES) {
      const index = Math.floor(random.between(0, REPLICAS));
      if (!product.killReplica(service, index)) continue;
      say(`kill -9 ${service}-${index + 1}`);
      happened.push({ fault: { kind: 'kill', process: service }, from: Date.now(), to: Date.now() });
    }
  }
  return happened;
}
