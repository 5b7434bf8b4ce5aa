import type { MailServerBehaviour } from '../../form-service/test/mail-server.ts';
import { randomSource } from './visitors.ts';

/** A fault of one target. */
export interface Fault {
  readonly kind: 'kill' | 'killAtDelivery' | 'freeze' | 'wipeRedis' | 'mailDown' | 'mailBehaviour' | 'diskFull';
  /** A process, or `mail`, `redis` or `storage`. Faults of the same target never overlap. */
  readonly target: string;
  /** Duration in milliseconds. */
  readonly forMs: number;
  readonly behaviour?: MailServerBehaviour;
}

export interface PlannedFault {
  /** Time since the start of the load, in milliseconds. */
  readonly atMs: number;
  readonly fault: Fault;
}

/** Possible targets. */
export interface Targets {
  readonly workers: readonly string[];
  /** All processes, including workers. */
  readonly processes: readonly string[];
  readonly hasDisk: boolean;
}

const BEHAVIOURS: readonly MailServerBehaviour[] = [
  { refuse: 'sender', code: 421 },
  { refuse: 'data', code: 451 },
  { refuse: 'data', code: 550 },
  'hang after data',
  'drop after accepting',
];

/** Time between two faults of a target, in which it recovers. */
const RECOVERY_MS = 2_000;
const FREEZE_MS = 5_000;
const USUAL_MS = [800, 3_000] as const;

/** Time without a delivery after which `killAtDelivery` kills the worker. */
const DELIVERY_WAIT_MS = 5_000;

/**
 * Plans faults at random times. They are drawn from a shuffled deck, so that each kind is equally frequent. Faults of
 * different targets can overlap.
 */
export function planFaults(seed: number, count: number, overMs: number, targets: Targets): PlannedFault[] {
  const random = randomSource(seed, 'faults');
  const freeAt = new Map<string, number>();
  const planned: PlannedFault[] = [];
  let deck: Fault[] = [];
  for (let index = 0; index < count; index++) {
    if (deck.length === 0) deck = allKinds(random, targets);
    const [fault] = deck.splice(Math.floor(random() * deck.length), 1);
    if (fault === undefined) break;
    const wanted = ((index + random()) / count) * overMs;
    const atMs = Math.round(Math.max(wanted, freeAt.get(fault.target) ?? 0));
    freeAt.set(fault.target, atMs + fault.forMs + RECOVERY_MS);
    planned.push({ atMs, fault });
  }
  return planned.sort((a, b) => a.atMs - b.atMs);
}

function allKinds(random: () => number, { workers, processes, hasDisk }: Targets): Fault[] {
  const between = ([least, most]: readonly [number, number]) => Math.round(least + (most - least) * random());
  const fault = (kind: Fault['kind'], target: string, forMs = between(USUAL_MS)) => ({ kind, target, forMs });
  // Not PostgreSQL: its processes lead process groups, which a signal to the main process does not reach.
  const freezable = processes.filter((name) => name !== 'postgres');
  return [
    ...processes.map((process) => fault('kill', process, 0)),
    ...freezable.map((process) => fault('freeze', process, FREEZE_MS)),
    fault('killAtDelivery', workers[Math.floor(random() * workers.length)] ?? 'worker', DELIVERY_WAIT_MS),
    fault('wipeRedis', 'redis', 0),
    fault('mailDown', 'mail'),
    ...BEHAVIOURS.map((behaviour) => ({ ...fault('mailBehaviour', 'mail'), behaviour })),
    ...(hasDisk ? [fault('diskFull', 'storage')] : []),
  ];
}
