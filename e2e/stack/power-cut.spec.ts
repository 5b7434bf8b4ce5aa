import { expect, test } from '@playwright/test';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startStack, type StackProcess } from '../harness/stack-process.ts';
import { PoweredDisk } from '../power-cut/powered-disk.ts';

const DISK_MB = 300;

const ENQUIRY = JSON.stringify({
  name: 'Ada',
  email: 'ada@visitor.example',
  service: 'Web Development',
  message: 'We need a new website.',
});

test('after a power cut npm start comes up again, with its pages and with what was promised', async () => {
  const missing = PoweredDisk.missing();
  test.skip(missing !== undefined, missing);
  const folder = mkdtempSync(join(tmpdir(), 'kitewright-start-cut-'));
  const disk = PoweredDisk.create(folder, DISK_MB);
  const settings = { DATA_DIR: join(disk.path, 'data') };
  const stacks: StackProcess[] = [];
  const start = async () => stacks[stacks.push(await startStack(settings)) - 1] as StackProcess;
  try {
    const before = await start();
    const home = await (await fetch(before.siteUrl)).text();
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${before.siteUrl}/api/contact`, { method: 'POST', body: ENQUIRY, headers });
    expect(answer.status).toBe(202);
    const { reference } = (await answer.json()) as { reference: string };
    disk.cutPower();
    before.kill();
    await disk.restorePower();

    const after = await start();
    expect(await (await fetch(after.siteUrl)).text()).toBe(home);
    const show = ['scripts/run.mjs', 'scripts/stack/submissions.ts', 'show', reference];
    const { stdout } = await promisify(execFile)(process.execPath, show, { env: { ...process.env, ...settings } });
    expect(stdout).toContain('ada@visitor.example');
    await after.stop();
  } finally {
    for (const stack of stacks) stack.kill();
    await disk.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
});
