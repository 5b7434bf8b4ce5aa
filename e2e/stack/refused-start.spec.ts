import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { buildChanged } from '../../scripts/stack/build.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { findProgram } from '../../scripts/stack/programs.ts';
import { failToStart, refusalOf, root } from '../harness/stack-process.ts';
import { cloneWorkTree } from '../harness/work-tree.ts';

// A start that builds prints more lines.
test.beforeAll(() => buildChanged(root));

const dataDir = () => makeTemporaryFolder();

test('refused start > the port is in use > nothing is built yet', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => taken.once('listening', listening));
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  // Another address of the site needs another build.
  const settings = { DATA_DIR: dataDir(), PORT: port, SITE_URL: 'https://other.test' };
  const { code, errors } = await failToStart(settings);
  taken.close();
  const sentence = `Port ${port} is in use. Stop the program that listens there, or set PORT to another port.\n`;
  expect([code, errors]).toEqual([1, sentence]);
});

test('refused start > Vite cannot read the path of the project', () => {
  const folder = join(dataDir(), 'issue #1');
  mkdirSync(folder);
  for (const name of ['node_modules', 'form-service', 'package.json', 'package-lock.json'])
    symlinkSync(join(root, name), join(folder, name));
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  const start = [join(folder, 'scripts/run.mjs'), 'scripts/stack/start.ts'];
  const { status, stderr } = spawnSync(process.execPath, start, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, `The path of this folder contains "#". Move or rename it: ${folder}\n`]);
});

test('refused start > a word of the forms is missing', () => {
  const sentence = 'frontend/content/wording.yaml: forms.contact.title is missing';
  const module = join(dataDir(), 'module.ts');
  writeFileSync(module, `throw Object.assign(new Error(${JSON.stringify(sentence)}), { name: 'ContentError' });`);
  const { status, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', module], { cwd: root, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, `${sentence}\n`]);
});

test('refused start > the data folder is not writable', async () => {
  const { code, errors } = await failToStart({ DATA_DIR: '/dev/null/data' });
  expect([code, errors]).toEqual([1, 'Cannot write /dev/null/data/log (ENOTDIR).\n']);
});

test('refused start > the system is Windows', () => {
  const system = "data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' })";
  const start = ['--import', system, 'scripts/run.mjs', 'scripts/stack/start.ts'];
  const { status, stderr } = spawnSync(process.execPath, start, { cwd: root, encoding: 'utf8' });
  const sentence = 'Windows is not supported. Run this in WSL, or use: docker compose up --build\n';
  expect([status, stderr]).toEqual([1, sentence]);
});

test('refused start > nginx is missing and cannot be installed', async () => {
  test.skip(process.getuid?.() !== 0, 'hiding programs requires root');
  const hidden = ['nginx', 'apt-get'].flatMap((name) => findProgram(name) ?? []);
  const hide = hidden.map((path) => `mount --bind /dev/null ${path}`).join(' && ');
  const start = `${hide} && exec ${process.execPath} scripts/run.mjs scripts/stack/start.ts`;
  const { status, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', start], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir() },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    'Install nginx with the package manager of your system, then run this command again.\n',
  ]);
});

test('refused start > mails would go to addresses of the example', async () => {
  const settings = { DATA_DIR: dataDir(), SMTP_URL: 'smtp://127.0.0.1:1', SALES_INBOX: 'sales@acme.test' };
  const refusal = await refusalOf(settings).catch((error: Error) => error.message);
  expect(refusal).toMatch(
    /^Wrong settings: HR_INBOX has an address under \.example.*; MAIL_FROM has .*company\.yaml\.$/,
  );
});

test.describe('refused start > during a build', () => {
  let clone: string;
  let DATA_DIR: string;
  test.beforeEach(() => {
    clone = cloneWorkTree();
    DATA_DIR = dataDir();
    // The service is built, so that only what a test replaces is.
    const stamp = 'node_modules/.cache/kitewright/form-service.sha256';
    for (const path of ['form-service/dist', stamp]) cpSync(join(root, path), join(clone, path), { recursive: true });
  });
  test.afterEach(() => rmSync(clone, { recursive: true }));

  /** Makes a program the build of a workspace. It runs when the start has made all of `files`. */
  const replaceBuild = (workspace: string, files: readonly string[], program: string) => {
    const script = join(clone, workspace, 'own-build.mjs');
    writeFileSync(
      script,
      `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
      const files = ${JSON.stringify(files)};
      while (!files.every(existsSync)) await new Promise((resolve) => setTimeout(resolve, 20));
      ${program}`,
    );
    const file = join(clone, workspace, 'package.json');
    const { scripts, ...others } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...others, scripts: { ...scripts, build: 'exec node own-build.mjs' } }));
  };

  test('stops what runs, and names the build last > the site cannot be built', async () => {
    const logs = ['redis', 'mail', 'api', 'worker'].map((name) => join(DATA_DIR, 'log', `${name}.log`));
    replaceBuild('frontend', logs, 'process.exit(1);');
    const [site, mail] = await freePorts(2);
    const ports = { PORT: `${site}`, MAIL_UI_PORT: `${mail}` };
    const { code, errors } = await failToStart({ DATA_DIR, ...ports }, { root: clone });
    expect([code, errors.trim().split('\n').at(-1)]).toEqual([1, 'frontend could not be built (see above).']);
    await expect(fetch(`http://127.0.0.1:${mail}/`)).rejects.toThrow('fetch failed');
  });

  test('ends the build of the site > the service cannot be built', async () => {
    const begun = join(DATA_DIR, 'begun');
    replaceBuild('frontend', [], `writeFileSync('${begun}', String(process.pid)); setInterval(() => {}, 1_000);`);
    replaceBuild('form-service', [begun], 'process.exit(1);');
    const [site] = await freePorts(1);
    const { code, errors } = await failToStart({ DATA_DIR, PORT: String(site) }, { root: clone });
    const message = 'form-service could not be built (see above).';
    expect([code, errors.trim().split('\n').at(-1)]).toEqual([1, message]);
    const pid = Number(readFileSync(begun, 'utf8'));
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });
});

test('refused start > settings of stack and service are invalid, without their values', async () => {
  const wrong = { PORT: 'eighty', REDIS_URL: 'secret-host', RETENTION_DAYS: 'long' };
  const { code, errors } = await failToStart({ DATA_DIR: dataDir(), ...wrong });
  expect(code).toBe(1);
  expect(errors).toMatch(/^Wrong settings: PORT .*; REDIS_URL .*; RETENTION_DAYS .*\.\n$/);
  expect(errors).not.toMatch(/eighty|secret|long/);
});
