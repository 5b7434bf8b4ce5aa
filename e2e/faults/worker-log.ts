import { existsSync, readFileSync } from 'node:fs';

interface Line {
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly message: { readonly event?: string; readonly reference?: string };
}

/** When a worker said that a submission is delivered and on record as such, by reference. */
export function readDeliveryMarks(...logFiles: string[]): Map<string, number[]> {
  const marks = new Map<string, number[]>();
  for (const { timestamp, message } of logFiles.flatMap((logFile) => [`${logFile}.1`, logFile]).flatMap(readLines)) {
    if (message.event !== 'delivered' || message.reference === undefined) continue;
    marks.set(message.reference, [...(marks.get(message.reference) ?? []), timestamp]);
  }
  return marks;
}

/** A line that a killed process did not finish is passed over. */
function readLines(path: string): Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Line];
      } catch {
        return [];
      }
    });
}
