import { postgresPrograms } from '../../e2e/faults/postgres.ts';
import { PoweredDisk } from '../../e2e/power-cut/powered-disk.ts';
import { runCommand } from './command.ts';
import { countOne, skipped, type Count } from './count.ts';
import { offerEatmydata, offerPostgres } from './optional-programs.ts';

interface FaultStep {
  readonly group: 'faults';
  readonly name: string;
  run(): Promise<Count>;
}

/** Everything about what breaks. A step that this machine cannot do is skipped, and says why. */
export const faultSteps: readonly FaultStep[] = [
  step('nothing accepted is lost, whatever breaks', ['faults', '--short']),
  step(
    'three apis and workers on PostgreSQL lose nothing',
    ['faults', ...'--short --database postgres --replicas 3 --submissions 400'.split(' ')],
    postgresMissing,
  ),
  step('a worker too late, a wiped Redis and an idle queue do no harm', ['scenarios', '--short']),
  step('a power cut loses nothing', ['power-cut', '--cuts', '3'], PoweredDisk.missing),
  step(
    'a power cut loses nothing in PostgreSQL',
    ['power-cut', '--cuts', '2', '--database', 'postgres'],
    () => PoweredDisk.missing() ?? postgresMissing(),
  ),
  step(
    'a power cut without fsync loses something',
    ['power-cut', '--eatmydata'],
    () => PoweredDisk.missing() ?? eatmydataMissing(),
  ),
];

function step(
  name: string,
  [program = '', ...args]: readonly string[],
  missing: () => string | undefined = () => undefined,
): FaultStep {
  const run = async () => {
    const reason = missing();
    if (reason === undefined)
      return countOne(await runCommand(process.execPath, ['scripts/run.mjs', `e2e/${program}/run.ts`, ...args]));
    return skipped(reason);
  };
  return { group: 'faults', name, run };
}

function postgresMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'root is needed to start a PostgreSQL of our own';
  return offerPostgres() && postgresPrograms() ? undefined : 'PostgreSQL is not installed';
}

function eatmydataMissing(): string | undefined {
  return offerEatmydata() ? undefined : 'eatmydata is not installed';
}
