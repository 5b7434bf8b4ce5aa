import { spawnSync } from 'node:child_process';
import { CONTENT } from './paths.ts';

const git = (folder: string, ...command: readonly string[]) =>
  spawnSync('git', command, { cwd: folder, encoding: 'utf8' }).stdout?.trim() ?? '';

/**
 * Returns the day of the last commit to a content file. Without git history (container build) it is the day of
 * SOURCE_DATE_EPOCH, or else undefined: search engines distrust sites with wrong dates.
 */
export function lastModified(file: string): string | undefined {
  const day = git(CONTENT, 'log', '-1', '--format=%cs', '--', file);
  const epoch = process.env.SOURCE_DATE_EPOCH;
  return day || (epoch ? new Date(Number(epoch) * 1000).toISOString().slice(0, 10) : undefined);
}

/** Second of the last commit to a file: infinite for one that has changed since, 0 without git history. */
export const changedAt = (file: string, folder: string): number =>
  git(folder, 'status', '--porcelain', '--', file)
    ? Infinity
    : Number(git(folder, 'log', '-1', '--format=%ct', '--', file));
