import { StartError } from '../stack/start-error.ts';
import { findProgram, installPackages } from '../stack/programs.ts';

/** Makes the checks run that need Prometheus where it can be installed; elsewhere false, after one line that says why. */
export function offerPrometheus(): boolean {
  if (findProgram('promtool') !== undefined) return true;
  try {
    installPackages(['prometheus']);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stdout.write(`The monitoring will not be tested. ${error.message}\n`);
  }
  return findProgram('promtool') !== undefined;
}
