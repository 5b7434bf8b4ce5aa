import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CONTENT = join(import.meta.dirname, '../content');

/**
 * Day of the last commit to a content file. Where git does not know (in the container's build), the day that
 * SOURCE_DATE_EPOCH names for the whole release, and where nobody set that, none: search engines punish a wrong one.
 */
export function lastModified(file: string): string | undefined {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%cs', '--', file], {
    cwd: CONTENT,
    encoding: 'utf8',
  });
  const epoch = process.env.SOURCE_DATE_EPOCH;
  return stdout?.trim() || (epoch ? new Date(Number(epoch) * 1000).toISOString().slice(0, 10) : undefined);
}
