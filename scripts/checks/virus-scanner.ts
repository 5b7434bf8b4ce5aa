import { StartError } from '../stack/start-error.ts';
import { findProgram, installPackages } from '../stack/programs.ts';

/** Makes the virus scanner's tests run where it can be installed; elsewhere they say that they are skipped. */
export function offerVirusScanner(): void {
  if (findProgram('clamd') !== undefined) return;
  try {
    installPackages(['clamav-daemon']);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stdout.write(`The virus scan will not be tested. ${error.message}\n`);
  }
}
