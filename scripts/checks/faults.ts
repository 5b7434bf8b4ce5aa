import { PoweredDisk } from '../../e2e/power-cut/powered-disk.ts';
import { runCommand } from './command.ts';
import { countOne, skipped, type Count } from './count.ts';
import { offerEatmydata, offerPostgres } from './optional-programs.ts';

interface FaultStep {
  readonly group: 'faults' | 'long';
  readonly name: string;
  run(): Promise<Count>;
}

const PROGRAMS: readonly (readonly [name: string, command: string, missing?: () => string | undefined])[] = [
  ['nothing accepted is lost, whatever breaks', 'faults --short'],
  [
    'two apis and workers on PostgreSQL lose nothing',
    'faults --short --database postgres --replicas 2 --submissions 200 --faults 14',
    postgresMissing,
  ],
  ['a worker too late, a wiped Redis and an idle queue do no harm', 'scenarios --short'],
  ['a power cut loses nothing', 'power-cut --cuts 1', PoweredDisk.missing],
  [
    'a power cut loses nothing in PostgreSQL',
    'power-cut --cuts 1 --database postgres',
    () => PoweredDisk.missing() ?? postgresMissing(),
  ],
  [
    'a power cut without fsync loses something',
    'power-cut --eatmydata',
    () => PoweredDisk.missing() ?? eatmydataMissing(),
  ],
];

/** Everything about what breaks, in the short form; `npm run test:long` has more. A step that this machine cannot do is skipped, and says why. */
export const faultSteps: readonly FaultStep[] = PROGRAMS.map(([name, command, missing]) =>
  step('faults', name, command, missing),
);

const LONG: typeof PROGRAMS = [
  ['nothing accepted is lost, for longer', 'faults --submissions 2000 --faults 80'],
  [
    'three apis and workers on PostgreSQL lose nothing, for longer',
    'faults --database postgres --replicas 3 --submissions 2000 --faults 80',
    postgresMissing,
  ],
  ['five power cuts lose nothing', 'power-cut --cuts 5', PoweredDisk.missing],
  [
    'three power cuts lose nothing in PostgreSQL',
    'power-cut --cuts 3 --database postgres',
    () => PoweredDisk.missing() ?? postgresMissing(),
  ],
  ['10,000 mutations of requests do no harm', 'hostile'],
];

/** The longer forms of what `npm test` has, for `.ci/run`. */
export const longSteps: readonly FaultStep[] = LONG.map(([name, command, missing]) =>
  step('long', name, command, missing),
);

function step(
  group: FaultStep['group'],
  name: string,
  command: string,
  missing: () => string | undefined = () => undefined,
): FaultStep {
  const [program = '', ...args] = command.split(' ');
  const run = async () => {
    const reason = missing();
    if (reason !== undefined) return skipped(reason);
    const isHeld = group === 'faults';
    const line = ['scripts/run.mjs', `e2e/${program}/run.ts`, ...args];
    return countOne(await runCommand(process.execPath, line, { isHeld }));
  };
  return { group, name, run };
}

function postgresMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'root is needed to start a PostgreSQL of our own';
  return offerPostgres() ? undefined : 'PostgreSQL is not installed';
}

function eatmydataMissing(): string | undefined {
  return offerEatmydata() ? undefined : 'eatmydata is not installed';
}
