import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { buildChanged } from '../../scripts/stack/build.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { failToStart, root } from '../harness/stack-process.ts';
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
  const remedy = 'Stop the program that listens there, or set PORT to another port';
  const sentence = `Cannot listen on port ${port} of 127.0.0.1 (EADDRINUSE). ${remedy}.\n`;
  expect([code, errors]).toEqual([1, sentence]);
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
  expect([code, errors]).toEqual([1, "ENOTDIR: not a directory, mkdir '/dev/null/data/log'\n"]);
});

test('refused start > the system is Windows', () => {
  const system = "data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' })";
  const start = ['--import', system, 'scripts/run.mjs', 'scripts/stack/start.ts'];
  const { status, stderr } = spawnSync(process.execPath, start, { cwd: root, encoding: 'utf8' });
  const sentence = 'Windows is not supported. Run this in WSL, or use: docker compose up --build\n';
  expect([status, stderr]).toEqual([1, sentence]);
});

test('refused start > mails would go to addresses of the example', async () => {
  const settings = { DATA_DIR: dataDir(), SMTP_URL: 'smtp://127.0.0.1:1', SALES_INBOX: 'sales@acme.test' };
  // The addresses are refused before anything is built, in production only.
  const { errors } = await failToStart({ ...settings, NODE_ENV: 'production' });
  expect(errors).toMatch(
    /^Wrong settings: HR_INBOX has an address under \.example.*; MAIL_FROM has .*company\.yaml\.\n$/,
  );
});

test('refused start > stops what runs, and names the build last > the site cannot be built', async () => {
  const clone = cloneWorkTree();
  // The service is built, so that only the site is.
  const stamp = 'node_modules/.cache/kitewright/form-service.sha256';
  for (const path of ['form-service/dist', stamp]) cpSync(join(root, path), join(clone, path), { recursive: true });
  const DATA_DIR = dataDir();
  const logs = ['redis', 'mail', 'api', 'worker'].map((name) => join(DATA_DIR, 'log', `${name}.log`));
  const build = `while (!${JSON.stringify(logs)}.every(fs.existsSync)) await new Promise((resolve) => setTimeout(resolve, 20));
process.exit(1)`;
  writeFileSync(join(clone, 'frontend/build.mjs'), `import fs from 'node:fs';\n${build}`);
  const manifest = join(clone, 'frontend/package.json');
  const { scripts, ...others } = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...others, scripts: { ...scripts, build: 'exec node build.mjs' } }));
  const [site, mail] = await freePorts(2);
  const ports = { PORT: `${site}`, MAIL_UI_PORT: `${mail}` };
  const { code, errors } = await failToStart({ DATA_DIR, ...ports }, { root: clone });
  expect([code, errors.trim().split('\n').at(-1)]).toEqual([1, 'frontend could not be built (see above).']);
  await expect(fetch(`http://127.0.0.1:${mail}/`)).rejects.toThrow('fetch failed');
  rmSync(clone, { recursive: true });
});

test('refused start > settings of stack and service are invalid, without their values', async () => {
  const wrong = { PORT: 'eighty', REDIS_URL: 'secret-host', RETENTION_DAYS: 'long' };
  const { code, errors } = await failToStart({ DATA_DIR: dataDir(), ...wrong });
  expect(code).toBe(1);
  expect(errors).toMatch(/^Wrong settings: PORT .*; REDIS_URL .*; RETENTION_DAYS .*\.\n$/);
  expect(errors).not.toMatch(/eighty|secret|long/);
});
