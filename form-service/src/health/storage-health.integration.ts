import { chmodSync, existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AlertReceiver } from '../../test/alert-receiver.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { AS_ORDINARY_USER, ordinaryUserMissing } from '../../test/ordinary-user.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { newEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { Database, filePath } from '../database/database.ts';
import { HealthService } from '../health/health.service.ts';
import { StorageHealth } from './storage-health.service.ts';

let receiver: AlertReceiver;
let stack: DeliveryStack;
beforeEach(async () => {
  receiver = await AlertReceiver.start();
  stack = await DeliveryStack.start({ settings: { ALERT_WEBHOOK_URL: receiver.url } });
});
afterEach(async () => {
  await stack.close();
  receiver.close();
});

describe('StorageHealth', () => {
  it('fails readiness, alerts and runs one check > the database does not respond', async () => {
    const worker = await stack.startWorker();
    const [database, health] = [worker.get(Database), worker.get(HealthService)];
    expect((await health.report()).checks['storage']).toEqual({ status: 'ok' });
    const storage = worker.get(StorageHealth);
    expect(storage.answerMs).toBe(10_000);
    storage.answerMs = 2_000;
    const checks = jest.spyOn(database, 'check');
    let release = () => {};
    // Every other statement of this process waits for the transaction.
    const hanging = database.run((db) =>
      db.transaction().execute(() => new Promise<void>((resolve) => (release = resolve))),
    );
    try {
      const down = { status: 'down', cause: 'DATABASE_URL: no answer for 2 s' };
      await until('a failed check', () => storage.cause === down.cause);
      for (let ticks = 1; ticks <= 3; ticks++) void storage.check();
      expect(await health.report()).toMatchObject({ ready: false, checks: { storage: down } });
      await until('the alert', () => receiver.stateOf('storage-unavailable') === 'raised');
      expect(checks).toHaveBeenCalledTimes(1);
    } finally {
      release();
      await hanging;
    }
    await until('a good check', async () => (await health.report()).checks['storage']?.status === 'ok');
    await until('the end of the alert', () => receiver.stateOf('storage-unavailable') === 'over');
  });

  const missing = ordinaryUserMissing();
  if (missing) process.stderr.write(`SKIPPED: a read-only database, because ${missing}\n`);
  (missing ? it.skip : it)('reports a read-only database until it is repaired, without a restart', async () => {
    const file = filePath(stack.settings.DATABASE_URL);
    await stack.database.close();
    const files = ['', '-wal', '-shm'].map((end) => `${file}${end}`);
    const allow = (mode: number) => files.filter((one) => existsSync(one)).forEach((one) => chmodSync(one, mode));
    allow(0o400);
    const start = (name: string) => ServiceProcess.start(name, stack.environment, AS_ORDINARY_USER);
    const services = await Promise.all([start('api'), start('worker')]);
    const [api] = services;
    const post = async () => {
      const body = JSON.stringify(newEnquiry().fields);
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(`${api.url}/api/contact`, { method: 'POST', headers, body })).status;
    };
    const storageOf = async ({ url }: ServiceProcess) =>
      JSON.stringify(
        ((await (await fetch(`${url}/health/ready`)).json()) as { checks: { storage: unknown } }).checks.storage,
      );
    try {
      expect(await post()).toBe(503);
      const down = '{"status":"down","cause":"DATABASE_URL: SQLITE_READONLY"}';
      for (const one of services) await until('the cause', async () => (await storageOf(one)) === down);
      expect((await fetch(`${api.url}/health/ready`)).status).toBe(503);
      await until('the alert', () => receiver.stateOf('storage-unavailable') === 'raised');

      allow(0o600);
      await until('the api to be ready', async () => (await fetch(`${api.url}/health/ready`)).ok);
      expect(await post()).toBe(202);
      await until('the end of the alert', () => receiver.stateOf('storage-unavailable') === 'over');
      await until('the mail', () => stack.mail.recipients.length === 1);
    } finally {
      await Promise.all(services.map((one) => one.end('SIGKILL')));
    }
  });
});
