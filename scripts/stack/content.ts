import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { CONTENT_NAME } from '../../form-service/src/contract/words.ts';
import { watchFiles } from './watch-files.ts';

/** Prints mistakes and reminders in the content of the site. */
const PROGRAM = 'frontend/builder/content/report.ts';

/** Returns mistakes and reminders for the terminal, a line each. The output of builds and of Vite goes to log files. */
export async function contentReport(root: string, ...options: readonly string[]): Promise<string> {
  const args = [join(root, PROGRAM), ...options];
  const { all } = await execa(process.execPath, args, { cwd: root, all: true, reject: false });
  return all && `${all}\n`;
}

/** Reports the content, drafts included, now and after each change. */
export async function reportContentOnChange(root: string): Promise<void> {
  const print = async () => void process.stderr.write(await contentReport(root, '--drafts'));
  await watchFiles(resolve(root, CONTENT_NAME), () => void print());
  await print();
}
