import { parseArgs } from 'node:util';

/** How large a run is, and which of all possible runs it is. */
export interface Options {
  /** The same seed gives the same visitors, files, faults and times. */
  readonly seed: number;
  readonly submissions: number;
  readonly faults: number;
  /** Leaves the logs also when all is well. */
  readonly keepLogs: boolean;
  /** Largest résumé, in bytes. */
  readonly resumeMaxBytes: number;
}

/** Submissions a second. */
export const RATE = 20;

type Form = Pick<Options, 'submissions' | 'faults' | 'resumeMaxBytes'>;

/** What the options say when they do not say it themselves. */
interface Forms {
  readonly short: Form;
  readonly long: Form;
}

const SHORT = { submissions: 800, faults: 32, resumeMaxBytes: 1_000_000 };
const LONG = { submissions: 10_000, faults: 300, resumeMaxBytes: 3_000_000 };

/** Reads `--short`, `--seed N`, `--submissions N`, `--faults N` and `--keep-logs`. Throws on anything else. */
export function readOptions(args: readonly string[], { short, long }: Forms = { short: SHORT, long: LONG }): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      submissions: { type: 'string' },
      faults: { type: 'string' },
      'keep-logs': { type: 'boolean', default: false },
    },
  });
  const form = values.short ? short : long;
  return {
    seed: whole('seed', values.seed, Date.now() % 1_000_000_000),
    submissions: whole('submissions', values.submissions, form.submissions),
    faults: whole('faults', values.faults, form.faults),
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
