import { InvalidArgumentError } from 'commander';

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** `30s`, `5m`, `2h` or `3d` in milliseconds. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  const [, amount, letter] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const unit = UNITS.find(([name]) => name === letter);
  if (!unit) throw new InvalidArgumentError('A duration is a whole number and s, m, h or d, for example 5m.');
  return Number(amount) * unit[1];
}

/** The largest whole unit, for example `3h`. */
export function formatDuration(ms: number): string {
  const [letter, size] = UNITS.find(([, size]) => ms >= size) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(ms / size))}${letter}`;
}
