import { expect, test } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../form-service/test/until.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { mailSpec } from '../../scripts/stack/services.ts';
import type { Settings } from '../../scripts/stack/settings.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test("the mail catcher's page is on the loopback address alone, also where nginx listens on every address", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kitewright-mail-'));
  const [mailUiPort = 0, smtp = 0] = await freePorts(2);
  const settings = { root, dataDir, host: '0.0.0.0', port: 0, mailUiPort, outsideRedis: true, outsideMail: false };
  const { command, args, isReady } = mailSpec(settings satisfies Settings, { api: 0, worker: 0, redis: 0, smtp });
  const catcher = spawn(command, args, { stdio: 'ignore' });
  try {
    await until('the mail catcher is ready', isReady);
    const attempt = connect({ host: '127.0.0.2', port: mailUiPort });
    await expect(once(attempt, 'connect')).rejects.toThrow('ECONNREFUSED');
  } finally {
    const ended = once(catcher, 'close');
    catcher.kill('SIGKILL');
    await ended;
    rmSync(dataDir, { recursive: true });
  }
});
