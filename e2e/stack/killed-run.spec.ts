import { expect, test } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { descendantsOf } from '../../form-service/test/descendants.ts';
import { isRunning } from '../../scripts/stack/process-group.ts';
import { root } from '../harness/stack-process.ts';

/** Starts what tests start, as their process does, and prints a line. */
const RUN = `
const { StackProcess } = await import('${join(root, 'e2e/harness/stack-process.ts')}');
const { NginxServer } = await import('${join(root, 'e2e/nginx/server.ts')}');
// Redis and the mail server are not started: the service waits for both.
const elsewhere = { REDIS_URL: 'redis://127.0.0.1:1', SMTP_URL: 'smtp://127.0.0.1:1' };
await Promise.all([StackProcess.start(elsewhere), NginxServer.start()]);
console.log('ready');
setInterval(() => {}, 1_000);
`;

test('killed run > leaves no process of npm start and nginx', async () => {
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', RUN];
  const run = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(run.stdout, 'data');
  const processes = descendantsOf(run.pid ?? 0);
  // The supervisor with api, worker, nginx and its workers, and nginx with its own.
  expect(processes.length).toBeGreaterThan(6);
  run.kill('SIGKILL');
  await expect.poll(() => processes.filter(isRunning)).toEqual([]);
});
