import { Random } from './random.ts';
import type { ProcessName } from './product.ts';
import type { Mood } from './smtp-sink.ts';

/** One thing that goes wrong. Times are in milliseconds. */
export type Fault =
  | { readonly kind: 'kill'; readonly process: ProcessName }
  | { readonly kind: 'freeze'; readonly process: ProcessName; readonly forMs: number }
  /** At the moment the mail server has taken a message, before that can be on record. */
  | { readonly kind: 'kill the worker at a delivery' }
  | { readonly kind: 'wipe Redis' }
  | { readonly kind: 'mail server down'; readonly forMs: number }
  | { readonly kind: 'mail server mood'; readonly mood: Mood; readonly forMs: number }
  | { readonly kind: 'disk full'; readonly forMs: number };

export interface PlannedFault {
  /** From the start of the load, in milliseconds. */
  readonly atMs: number;
  readonly fault: Fault;
}

const PROCESSES: readonly ProcessName[] = ['api', 'worker', 'redis', 'nginx'];
const MOODS: readonly Mood[] = ['421', '451', '550', 'hang after data', 'drop after accepting'];

/** Between two faults of one thing, so that the second one finds it at work. */
const RECOVERY_MS = 2_000;

/** When no delivery comes for so long, the worker that should die at one dies all the same. */
export const DELIVERY_LIMIT_MS = 5_000;

/**
 * Faults at random times over a span. They are dealt like cards, so that each kind comes as often as any other, and several go on at
 * once, but never two of the same thing.
 */
export function planFaults(seed: number, count: number, overMs: number, withDisk: boolean): PlannedFault[] {
  const random = new Random(seed, 'faults');
  const freeAt = new Map<string, number>();
  const planned: PlannedFault[] = [];
  let deck: Fault[] = [];
  for (let index = 0; index < count; index++) {
    if (deck.length === 0) deck = random.shuffled(allKinds(random, withDisk));
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
  if (fault.kind === 'freeze') return `freeze ${fault.process}${span}`;
  if (fault.kind === 'mail server mood') return `mail server: ${fault.mood}${span}`;
  return `${fault.kind}${span}`;
}

function allKinds(random: Random, withDisk: boolean): Fault[] {
  const someSeconds = () => Math.round(random.between(800, 3_000));
  return [
    ...PROCESSES.map((process): Fault => ({ kind: 'kill', process })),
    ...PROCESSES.map((process): Fault => ({ kind: 'freeze', process, forMs: 5_000 })),
    { kind: 'kill the worker at a delivery' },
    { kind: 'wipe Redis' },
    { kind: 'mail server down', forMs: someSeconds() },
    ...MOODS.map((mood): Fault => ({ kind: 'mail server mood', mood, forMs: someSeconds() })),
    ...(withDisk ? [{ kind: 'disk full', forMs: someSeconds() } as const] : []),
  ];
}

function thingOf(fault: Fault): string {
  if ('process' in fault) return fault.process;
  if (fault.kind === 'kill the worker at a delivery') return 'worker';
  if (fault.kind === 'wipe Redis') return 'redis';
  return fault.kind.startsWith('mail') ? 'mail' : 'disk';
}

function durationOf(fault: Fault): number {
  if (fault.kind === 'kill the worker at a delivery') return DELIVERY_LIMIT_MS;
  return 'forMs' in fault ? fault.forMs : 0;
}
