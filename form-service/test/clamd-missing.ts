import { spawnSync } from 'node:child_process';

/** Why no daemon of ClamAV can be started here, or undefined when one can. Read by `npm test` too, without the service. */
export function clamdMissing(): string | undefined {
  const { error } = spawnSync('clamd', ['--version']);
  return error ? 'clamd is not installed (Debian: apt-get install clamav-daemon)' : undefined;
}
