import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CONTENT_NAME } from '../../../form-service/src/contract/words.ts';
import { contentCopy } from '../../test/content-copy.ts';
import { ContentError, mistake } from './findings.ts';
import { content } from './plugin.ts';

const { folder, remove, replace } = contentCopy();

const PAGE = 'pages/services/individualsoftware.yaml';
const JOB = 'jobs/android-entwicklung.md';

/** Runs the plugin as Vite does, and returns what it prints. */
async function printed(command: 'build' | 'serve', lines: string[] = []): Promise<readonly string[]> {
  const print = (line: string) => void (line.startsWith('content/wording.yaml:') || lines.push(line));
  const plugin = content(folder);
  const call = (hook: unknown, self: object, argument?: object) => (hook as (of?: object) => void).call(self, argument);
  call(plugin.configResolved, {}, { command, env: {}, logger: { warn: print, error: print } });
  if (command === 'build') await (plugin.buildApp as { handler: () => Promise<void> }).handler();
  else call(plugin.configureServer, {}, { watcher: { add: () => {} } });
  return lines;
}

describe.each(['build', 'serve'] as const)('with the command %s, the plugin', (command) => {
  test('prints the reminder of a position that has closed', async () => {
    replace(JOB, 'applyBy: 2028-01-31', 'applyBy: 2026-02-01');
    replace(PAGE, '/careers/android-entwicklung', '/');
    expect(await printed(command)).toEqual([
      `content/${JOB}:14: the position closed on 2026-02-01 and is left out: delete the file, or change applyBy`,
    ]);
  });

  test('prints a mistake once, and ends a build without a stack', async () => {
    remove(JOB);
    const message = `content/${PAGE}:33: href: /careers/android-entwicklung leads to no page of this site`;
    const lines: string[] = [];
    const end = await printed(command, lines).catch((error: Error) => error.stack);
    expect(lines).toEqual([message]);
    expect(end).toEqual(command === 'build' ? 'The mistakes above stop the build.' : lines);
  });
});

test('error > has the place of the first mistake, and a stack line for each', () => {
  const error = new ContentError([mistake('pages/a.yaml', 2, 'x'), mistake('pages/b.yaml', 3, 'y')]);
  const repository = join(import.meta.dirname, '../../..');
  const page = resolve(repository, CONTENT_NAME, 'pages/a.yaml');
  expect(error.loc).toEqual({ file: page, line: 2, column: 1 });
  expect(error.id).toBe(error.loc?.file);
  expect(error.stack?.split('\n')).toEqual([
    'content/pages/a.yaml:2: x',
    'content/pages/b.yaml:3: y',
    `    at ${page}:2:1`,
    `    at ${resolve(repository, CONTENT_NAME, 'pages/b.yaml')}:3:1`,
  ]);
});
