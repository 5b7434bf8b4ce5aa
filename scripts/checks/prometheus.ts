import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../stack/programs.ts';
import { runCommand } from './command.ts';
import { countOne, skipped, type Count } from './count.ts';
import { offerPrometheus } from './optional-programs.ts';

const FOLDER = 'monitoring';

/** Checks Prometheus' configuration and rules, and plays the rules through the histories in `monitoring/tests`. */
export async function checkAlertRules(): Promise<Count> {
  if (!offerPrometheus()) return skipped('Prometheus is not installed');
  const promtool = findProgram('promtool') ?? 'promtool';
  const tests = readdirSync(join(FOLDER, 'tests')).map((name) => join(FOLDER, 'tests', name));
  const isValid = await runCommand(promtool, ['check', 'config', join(FOLDER, 'prometheus.yml')]);
  return countOne(isValid && (await runCommand(promtool, ['test', 'rules', ...tests])));
}
