import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../stack/start-error.ts';
import { findProgram, installPackages } from '../stack/programs.ts';
import { runCommand } from './command.ts';
import { countOne, type Count } from './count.ts';

const FOLDER = 'monitoring';

/** Makes the checks run that need Prometheus where it can be installed; elsewhere false, after one line that says why. */
export function offerPrometheus(): boolean {
  if (findProgram('promtool') !== undefined && findProgram('prometheus') !== undefined) return true;
  try {
    installPackages(['prometheus']);
    return true;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stdout.write(`The monitoring will not be tested. ${error.message}\n`);
    return false;
  }
}

/** Checks Prometheus' configuration and rules, and plays the rules through the histories in `monitoring/tests`. */
export async function checkAlertRules(): Promise<Count> {
  if (!offerPrometheus()) return { passed: 0, failed: 0, skipped: 1 };
  const promtool = findProgram('promtool') ?? 'promtool';
  const tests = readdirSync(join(FOLDER, 'tests')).map((name) => join(FOLDER, 'tests', name));
  const isValid = await runCommand(promtool, ['check', 'config', join(FOLDER, 'prometheus.yml')]);
  return countOne(isValid && (await runCommand(promtool, ['test', 'rules', ...tests])));
}
