import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changedFiles, planFor, type Selectable } from './changed.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{}',
  'docs/install.md': '# Install',
  'form-service/src/mail/mailer.ts': "import { reply } from './reply.ts';\nimport type { Key } from '../spam/key.ts';",
  'form-service/src/mail/mailer.test.ts': "import { send } from './mailer.ts';",
  'form-service/src/mail/reply.ts': 'export const reply = 250;',
  'form-service/src/mail/pages.ts': 'const read = (name) => new URL(`${name}.html`, import.meta.url);',
  'form-service/src/mail/frame.html': '<p>',
  'form-service/src/words/hello.txt': 'Hello',
  'form-service/src/mail/mails.integration.ts': "import { pages } from './pages.ts';",
  'form-service/src/mail/mail.module.ts': "import { mailer } from './mailer.ts';",
  'form-service/src/spam/key.ts': 'export type Key = string;',
  'form-service/src/spam/thread.ts': "const thread = new URL('../mail/reply.ts', import.meta.url);",
  'form-service/src/spam/words.ts': 'const read = (name) => new URL(`../words/${name}.txt`, import.meta.url);',
  'form-service/src/spam/words.test.ts': "import { read } from './words.ts';",
  'form-service/src/spam/spam.test.ts': "const { thread } = await import('./thread.ts');",
  'form-service/src/inbox/inbox.integration.ts': "import { start } from '../../test/server.ts';",
  'form-service/test/server.ts': "import '../src/mail/mail.module.ts';\nimport { until } from './until.ts';",
  'form-service/test/until.ts': 'export const until = 1;',
  'scripts/update': '#!/bin/sh',
  'scripts/checks/list.ts': "export const known = 'form-service/src/mail/reply.ts';",
  'scripts/checks/list.test.ts': "import { known } from './list.ts';",
  'nginx/site.conf': 'server {}',
  'e2e/nginx/headers.spec.ts': "import { test } from './server.ts';",
  'e2e/stack/commands.spec.ts': "const folders = ['docs', 'scripts/update', 'docs/install.md'];",
  'monitoring/rules.yml': 'groups: []',
};

const STEPS: readonly Selectable[] = [
  { name: 'lint', isConstant: true },
  { name: 'build' },
  { name: 'unit', tests: /\.test\.ts$/ },
  { name: 'integration', tests: /\.integration\.ts$/, reads: /^form-service\/src\// },
  { name: 'browser', tests: /^e2e\// },
  { name: 'faults', reads: /^(form-service\/src|nginx)\//, isLong: true },
  { name: 'alert rules', reads: /^monitoring\// },
];

let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
    encoding: 'utf8',
  }).trim();

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

let template: string;
beforeAll(() => {
  root = template = makeTemporaryFolder();
  git('init', '--quiet', '--template=');
  for (const [file, text] of Object.entries(FILES)) write(file, text);
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
});
beforeEach(() => {
  root = makeTemporaryFolder();
  cpSync(template, root, { recursive: true, preserveTimestamps: true });
});
afterEach(() => rmSync(root, { recursive: true }));
afterAll(() => rmSync(template, { recursive: true }));

/** Returns the test files, or the name, of each chosen step. */
function chosenAfter(...changed: string[]): string[] {
  for (const file of changed) write(file, `${FILES[file] ?? ''}\n`);
  return planFor(STEPS, root, changedFiles(root)).choices.flatMap(({ step, only }) => only ?? step.name);
}

const MAIL = 'form-service/src/mail';

describe('changed files', () => {
  it('are those that differ from HEAD, in the index, on disk or untracked', () => {
    write('docs/install.md', '# Changed');
    write('docs/new.md', '# New');
    write(`${MAIL}/reply.ts`, 'export const reply = 251;');
    git('add', `${MAIL}/reply.ts`);
    git('mv', 'scripts/update', 'scripts/renamed');
    rmSync(join(root, 'nginx/site.conf'));
    const own = ['docs/install.md', 'docs/new.md', `${MAIL}/reply.ts`, 'nginx/site.conf'];
    expect(changedFiles(root)).toEqual([...own, 'scripts/renamed', 'scripts/update']);
  });

  it('are those since the common ancestor > another commit is named', () => {
    git('branch', 'main-line');
    write('docs/install.md', '# Changed');
    git('commit', '--quiet', '--all', '--message', 'Own');
    git('checkout', '--quiet', '-B', 'other', 'main-line');
    write('nginx/site.conf', '# theirs');
    git('commit', '--quiet', '--all', '--message', 'Theirs');
    git('checkout', '--quiet', '-');
    expect([changedFiles(root), changedFiles(root, 'other')]).toEqual([[], ['docs/install.md']]);
  });
});

describe('selection by changed files', () => {
  it.each<readonly [string, string, ...string[]]>([
    ['a test', 'e2e/nginx/headers.spec.ts', 'e2e/nginx/headers.spec.ts'],
    ['a file that a test imports', 'scripts/checks/list.ts', 'scripts/checks/list.test.ts'],
    ['a template', `${MAIL}/frame.html`, `${MAIL}/mailer.test.ts`, `${MAIL}/mails.integration.ts`],
    ['a helper of helpers', 'form-service/test/until.ts', 'form-service/src/inbox/inbox.integration.ts'],
    [
      'a neighbour',
      'form-service/src/spam/key.ts',
      'form-service/src/spam/spam.test.ts',
      'form-service/src/spam/words.test.ts',
    ],
    ['a file that nginx reads', 'nginx/site.conf', 'e2e/nginx/headers.spec.ts'],
    ['a script that a test names', 'scripts/update', 'e2e/stack/commands.spec.ts'],
    ['a document that a test names', 'docs/install.md', 'e2e/stack/commands.spec.ts'],
    ['rules', 'monitoring/rules.yml', 'alert rules'],
    ['a document that no test names', 'docs/other.md'],
  ])('runs what uses %s', (_what, changed, ...chosen) => {
    expect(chosenAfter(changed)).toEqual(['lint', ...chosen]);
  });

  it('follows imports and workers, not types, lists and the wiring', () => {
    expect(chosenAfter(`${MAIL}/reply.ts`)).toEqual([
      'lint',
      `${MAIL}/mailer.test.ts`,
      'form-service/src/spam/spam.test.ts',
      `${MAIL}/mails.integration.ts`,
    ]);
  });

  it('runs every test > the packages change', () => {
    const tests = Object.keys(FILES).filter((file) => /\.(test|integration|spec)\.ts$/.test(file));
    expect(chosenAfter('package.json').sort()).toEqual(['lint', ...tests].sort());
  });

  it('runs the users of a removed file, and no removed test', () => {
    rmSync(join(root, `${MAIL}/reply.ts`));
    rmSync(join(root, `${MAIL}/mails.integration.ts`));
    const chosen = ['lint', `${MAIL}/mailer.test.ts`, 'form-service/src/spam/spam.test.ts'];
    expect(chosenAfter()).toEqual(chosen);
  });

  it('runs what reads the folder of a removed file', () => {
    rmSync(join(root, 'form-service/src/words/hello.txt'));
    expect(chosenAfter()).toEqual(['lint', 'form-service/src/spam/words.test.ts']);
  });

  it('runs only what runs always > nothing has changed', () => {
    expect(planFor(STEPS, root, changedFiles(root))).toEqual({ choices: [{ step: STEPS[0] }], leftOut: [] });
  });

  it('names what it leaves out although it can notice the change', () => {
    write(`${MAIL}/pages.ts`, '//');
    expect(planFor(STEPS, root, changedFiles(root)).leftOut).toEqual(['integration: 1 of 2 files', 'faults']);
  });
});
