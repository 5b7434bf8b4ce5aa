import { existsSync, readFileSync } from 'node:fs';

/** One line of a worker's log. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly event?: string;
  readonly reference?: string;
}

/** When a worker said that a submission is delivered and on record as such, by reference. */
export function deliveriesIn(logFiles: readonly string[]): Map<string, number[]> {
  const recordedAt = new Map<string, number[]>();
  for (const { at, event, reference } of logFiles.flatMap(readLog)) {
    if (event === 'delivered' && reference) recordedAt.set(reference, [...(recordedAt.get(reference) ?? []), at]);
  }
  return recordedAt;
}

/** All lines, also those of an older file; one that a killed process did not finish is passed over. */
export function readLog(logFile: string): LogLine[] {
  const files = [`${logFile}.1`, logFile].filter(existsSync);
  return files
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .flatMap((text) => {
      try {
        const { time, ...line } = JSON.parse(text) as Omit<LogLine, 'at'> & { time: string };
        return [{ ...line, at: Date.parse(time) }];
      } catch {
        return [];
      }
    });
}
