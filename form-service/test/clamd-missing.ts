import { spawnSync } from 'node:child_process';

/** Returns why clamd cannot be started here, or undefined. `npm test` uses it too. */
export function clamdMissing(): string | undefined {
  const { error } = spawnSync('clamd', ['--version']);
  return error ? 'clamd is not installed (Debian: apt-get install clamav-daemon)' : undefined;
}
