import { Random } from './random.ts';
import type { Mood } from './smtp-sink.ts';

/** One thing that goes wrong. Times are in milliseconds. */
export type Fault =
  | { readonly kind: 'kill'; readonly process: string }
  | { readonly kind: 'freeze'; readonly process: string; readonly forMs: number }
  /** At the moment the mail server has taken a message, before that can be on record. */
  | { readonly kind: 'kill at a delivery'; readonly process: string }
  | { readonly kind: 'wipe Redis' }
  | { readonly kind: 'mail server down'; readonly forMs: number }
  | { readonly kind: 'mail server mood'; readonly mood: Mood; readonly forMs: number }
  | { readonly kind: 'disk full' | 'disk read-only' | 'database locked'; readonly forMs: number };

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
  readonly disk: boolean;
}

const MOODS: readonly Mood[] = ['421', '451', '550', 'hang after data', 'drop after accepting'];

/** Between two faults of one thing, so that the second one finds it at work. */
const RECOVERY_MS = 2_000;

const FREEZE_MS = 5_000;

/** SQLite waits 5 s for a lock: some of these end before, some after. */
const LOCK_MS = [1_000, 8_000] as const;

/** When no delivery comes for so long, the worker that should die at one dies all the same. */
export const DELIVERY_LIMIT_MS = 5_000;

/**
 * Faults at random times over a span. They are dealt like cards, so that each kind comes as often as any other, and several go on at
 * once, but never two of the same thing.
 */
export function planFaults(seed: number, count: number, overMs: number, targets: Targets): PlannedFault[] {
  const random = new Random(seed, 'faults');
  const freeAt = new Map<string, number>();
  const planned: PlannedFault[] = [];
  let deck: Fault[] = [];
  for (let index = 0; index < count; index++) {
    if (deck.length === 0) deck = random.shuffled(allKinds(random, targets));
    const fault = deck.pop();
    if (fault === undefined) break;
    const wanted = ((index + random.next()) / count) * overMs;
    const atMs = Math.round(Math.max(wanted, freeAt.get(thingOf(fault)) ?? 0));
    freeAt.set(thingOf(fault), atMs + durationOf(fault) + RECOVERY_MS);
    planned.push({ atMs, fault });
  }
  return planned.sort((a, b) => a.atMs - b.atMs);
}

/** In the words of the log. */
export function describeFault(fault: Fault): string {
  const span = 'forMs' in fault ? ` for ${(fault.forMs / 1000).toFixed(1)} s` : '';
  if (fault.kind === 'kill') return `kill -9 ${fault.process}`;
  if (fault.kind === 'kill at a delivery') return `kill -9 ${fault.process} at a delivery`;
  if (fault.kind === 'freeze') return `freeze ${fault.process}${span}`;
  if (fault.kind === 'mail server mood') return `mail server: ${fault.mood}${span}`;
  return `${fault.kind}${span}`;
}

function allKinds(random: Random, { workers, processes, disk }: Targets): Fault[] {
  const someSeconds = () => Math.round(random.between(800, 3_000));
  const worker = workers[random.whole(0, workers.length - 1)] ?? '';
  // PostgreSQL's own processes lead groups of their own, which a frozen one does not take along.
  const freezable = processes.filter((name) => name !== 'postgres');
  return [
    ...processes.map((process): Fault => ({ kind: 'kill', process })),
    ...freezable.map((process): Fault => ({ kind: 'freeze', process, forMs: FREEZE_MS })),
    { kind: 'kill at a delivery', process: worker },
    { kind: 'wipe Redis' },
    { kind: 'mail server down', forMs: someSeconds() },
    ...MOODS.map((mood): Fault => ({ kind: 'mail server mood', mood, forMs: someSeconds() })),
    { kind: 'database locked', forMs: Math.round(random.between(...LOCK_MS)) },
    ...(disk
      ? [
          { kind: 'disk full', forMs: someSeconds() } as const,
          { kind: 'disk read-only', forMs: someSeconds() } as const,
        ]
      : []),
  ];
}

/** What a fault is about: never two at once of one thing. */
export function thingOf(fault: Fault): string {
  if ('process' in fault) return fault.process;
  if (fault.kind === 'wipe Redis') return 'redis';
  return fault.kind.startsWith('mail') ? 'mail' : 'storage';
}

function durationOf(fault: Fault): number {
  if (fault.kind === 'kill at a delivery') return DELIVERY_LIMIT_MS;
  return 'forMs' in fault ? fault.forMs : 0;
}
