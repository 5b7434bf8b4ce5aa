import { spawnSync } from 'node:child_process';
import { CONTENT } from './paths.ts';

/**
 * Returns the day of the last commit to a content file. Without git history (container build) it is the day of
 * SOURCE_DATE_EPOCH, or else undefined: search engines distrust sites with wrong dates.
 */
export function lastModified(file: string): string | undefined {
  const command = ['log', '-1', '--format=%cs', '--', file];
  const day = spawnSync('git', command, { cwd: CONTENT, encoding: 'utf8' }).stdout?.trim();
  const epoch = process.env.SOURCE_DATE_EPOCH;
  return day || (epoch ? new Date(Number(epoch) * 1000).toISOString().slice(0, 10) : undefined);
}
