import type { MailServerBehaviour } from '../../form-service/test/mail-server.ts';
import { shuffle } from 'simple-statistics';
import { randomSource } from './visitors.ts';

/** One thing that goes wrong, about one thing; times are in milliseconds. */
export interface Fault {
  readonly kind: keyof typeof DESCRIPTIONS;
  /** A process, or one of `mail`, `redis` and `storage`: never two faults at once of one thing. */
  readonly thing: string;
  readonly forMs: number;
  readonly behaviour?: MailServerBehaviour;
}

export interface PlannedFault {
  /** From the start of the load, in milliseconds. */
  readonly atMs: number;
  readonly fault: Fault;
}

/** What there is to break. */
export interface Targets {
  readonly workers: readonly string[];
  /** All that can be killed, workers too. */
  readonly processes: readonly string[];
  readonly hasDisk: boolean;
}

const DESCRIPTIONS = {
  kill: ({ thing }: Fault) => `kill -9 ${thing}`,
  killAtDelivery: ({ thing }: Fault) => `kill -9 ${thing} at a delivery, before that can be on record`,
  freeze: ({ thing, forMs }: Fault) => `freeze ${thing}${seconds(forMs)}`,
  wipeRedis: () => 'wipe Redis',
  mailDown: ({ forMs }: Fault) => `the mail server is down${seconds(forMs)}`,
  mailBehaviour: ({ behaviour, forMs }: Fault) => `mail server: ${JSON.stringify(behaviour)}${seconds(forMs)}`,
  databaseLocked: ({ forMs }: Fault) => `the database is locked${seconds(forMs)}`,
  diskFull: ({ forMs }: Fault) => `the disk is full${seconds(forMs)}`,
  diskReadOnly: ({ forMs }: Fault) => `the disk is read-only${seconds(forMs)}`,
};

const BEHAVIOURS: readonly MailServerBehaviour[] = [
  { refuse: 'sender', code: 421 },
  { refuse: 'data', code: 451 },
  { refuse: 'data', code: 550 },
  'hang after data',
  'drop after accepting',
];

/** Between two faults of one thing, so that the second one finds it at work. */
const RECOVERY_MS = 2_000;
const FREEZE_MS = 5_000;
const USUAL_MS = [800, 3_000] as const;

/** SQLite waits 5 s for a lock: some of these end before, some after. */
const LOCK_MS = [1_000, 8_000] as const;

/** When no delivery comes for so long, the worker that should die at one dies all the same. */
const DELIVERY_LIMIT_MS = 5_000;

/**
 * Faults at random times over a span. They are dealt like cards, so that each kind comes as often as any other, and several go on at
 * once, but never two of the same thing.
 */
export function planFaults(seed: number, count: number, overMs: number, targets: Targets): PlannedFault[] {
  const random = randomSource(seed, 'faults');
  const freeAt = new Map<string, number>();
  const planned: PlannedFault[] = [];
  let deck: Fault[] = [];
  for (let index = 0; index < count; index++) {
    if (deck.length === 0) deck = shuffle(allKinds(random, targets), random);
    const fault = deck.pop();
    if (fault === undefined) break;
    const wanted = ((index + random()) / count) * overMs;
    const atMs = Math.round(Math.max(wanted, freeAt.get(fault.thing) ?? 0));
    freeAt.set(fault.thing, atMs + fault.forMs + RECOVERY_MS);
    planned.push({ atMs, fault });
  }
  return planned.sort((a, b) => a.atMs - b.atMs);
}

export const describeFault = (fault: Fault): string => DESCRIPTIONS[fault.kind](fault);

const seconds = (forMs: number) => ` for ${(forMs / 1000).toFixed(1)} s`;

function allKinds(random: () => number, { workers, processes, hasDisk }: Targets): Fault[] {
  const between = ([least, most]: readonly [number, number]) => Math.round(least + (most - least) * random());
  const fault = (kind: Fault['kind'], thing: string, forMs = between(USUAL_MS)) => ({ kind, thing, forMs });
  // PostgreSQL's own processes lead groups of their own, which a frozen one does not take along.
  const freezable = processes.filter((name) => name !== 'postgres');
  return [
    ...processes.map((process) => fault('kill', process, 0)),
    ...freezable.map((process) => fault('freeze', process, FREEZE_MS)),
    fault('killAtDelivery', workers[Math.floor(random() * workers.length)] ?? 'worker', DELIVERY_LIMIT_MS),
    fault('wipeRedis', 'redis', 0),
    fault('mailDown', 'mail'),
    ...BEHAVIOURS.map((behaviour) => ({ ...fault('mailBehaviour', 'mail'), behaviour })),
    fault('databaseLocked', 'storage', between(LOCK_MS)),
    ...(hasDisk ? [fault('diskFull', 'storage'), fault('diskReadOnly', 'storage')] : []),
  ];
}
