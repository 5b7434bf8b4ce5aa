import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the files of the repository, also those that are not added yet. Of a deletion that is not staged, Git still
 * lists the file.
 *
 * @param patterns such as `*.ts`; without any, all files
 */
export function repositoryFiles(root: string, ...patterns: readonly string[]): string[] {
  const options = ['-C', root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns];
  const files = execFileSync('git', options, { encoding: 'utf8' }).split('\0').filter(Boolean);
  return files.filter((file) => existsSync(join(root, file)));
}
