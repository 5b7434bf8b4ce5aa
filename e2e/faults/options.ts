import { parseArgs } from 'node:util';

/** How large a run is, and which of all possible runs it is. */
export interface Options {
  /** The same seed gives the same visitors, files, faults and times. */
  readonly seed: number;
  readonly submissions: number;
  readonly faults: number;
  readonly database: 'sqlite' | 'postgres';
  /** Copies of api and of worker. */
  readonly replicas: number;
  /** Leaves the logs also when all is well. */
  readonly keepLogs: boolean;
  /** Largest résumé, in bytes. */
  readonly resumeMaxBytes: number;
}

/** Submissions a second. */
export const RATE = 20;

const SHORT = { submissions: 800, faults: 36, resumeMaxBytes: 1_000_000 };
const LONG = { submissions: 10_000, faults: 300, resumeMaxBytes: 3_000_000 };

/** @throws when there is something in the command line that is not known */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      submissions: { type: 'string' },
      faults: { type: 'string' },
      database: { type: 'string', default: 'sqlite' },
      replicas: { type: 'string' },
      'keep-logs': { type: 'boolean', default: false },
    },
  });
  const form = values.short ? SHORT : LONG;
  if (values.database !== 'sqlite' && values.database !== 'postgres')
    throw new RangeError('--database takes sqlite or postgres');
  return {
    seed: whole('seed', values.seed, Date.now() % 1_000_000_000),
    submissions: whole('submissions', values.submissions, form.submissions),
    faults: whole('faults', values.faults, form.faults),
    database: values.database,
    replicas: whole('replicas', values.replicas, 1),
    keepLogs: values['keep-logs'],
    resumeMaxBytes: form.resumeMaxBytes,
  };
}

function whole(name: string, text: string | undefined, preset: number): number {
  if (text === undefined) return preset;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`--${name} takes a whole number of up to nine digits`);
  return value;
}
