import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { ServiceProcess } from '../../test/service-process.ts';

let stack: DeliveryStack;
const workers: ServiceProcess[] = [];

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  await stack.close();
});

async function startWorker(): Promise<ServiceProcess> {
  const worker = await ServiceProcess.start('worker', stack.environment);
  workers.push(worker);
  return worker;
}

const accept = () => storeEnquiry(stack, { name: 'Never Logged', message: 'Nothing of this may be in a log.' });

describe('delivery > worker process', () => {
  it('leaves its message to another worker > killed, with at most one extra copy', async () => {
    stack = await DeliveryStack.start();
    stack.mail.behaviour = 'hang after data';
    const first = await startWorker();
    const id = await accept();
    await until('a message on its way', () => stack.mail.attempts > 0);
    await first.end('SIGKILL');
    stack.mail.behaviour = 'accept';
    // Ends the lease of the dead worker.
    await stack.database.run((db) => db.updateTable('submissions').set({ leaseUntil: 0 }).execute());
    await startWorker();
    await stack.delivered(id);
    expect(stack.mail.received.length).toBeLessThanOrEqual(2);
    expect(new Set(stack.mail.received.map(({ messageId }) => messageId))).toEqual(
      new Set([`<${id}@kitewright.example>`]),
    );
  });

  it('finishes its message, and logs nothing about the visitor > SIGTERM', async () => {
    stack = await DeliveryStack.start();
    const hold = stack.mail.hold();
    const worker = await startWorker();
    const id = await accept();
    await until('a message on its way', () => stack.mail.held === 1);
    const ended = worker.end('SIGTERM');
    await pause(500);
    expect(worker.hasEnded).toBe(false);
    hold.release();
    expect(await ended).toBe(0);
    expect(await stack.stateOf(id)).toBe('delivered');
    expect(worker.log).toContain(id);
    expect(worker.log).not.toMatch(/Never Logged|Nothing of this|visitor\.example/);
  });

  it.each([
    ['Redis', 0],
    ['Redis', 1],
    ['mail', 1],
  ] as const)(
    'ends in time and without a warning on SIGTERM > %s is unavailable, %i mails sent',
    async (part, mails) => {
      stack = await DeliveryStack.start();
      const worker = await startWorker();
      if (mails > 0) await stack.delivered(await accept());
      const health = part === 'Redis' ? 'redis' : 'mail server';
      await (part === 'Redis' ? stack.redis : stack.mail).stop();
      await accept();
      await until(`${part} to be unavailable`, async () => {
        const answer = await fetch(`${worker.url}/health/ready`);
        const { checks } = (await answer.json()) as { checks: Record<string, { status: string } | undefined> };
        return checks[health]?.status === 'down';
      });
      const startedAt = performance.now();
      expect(await worker.end('SIGTERM')).toBe(0);
      // An active attempt may take 24 s to finish; none is active here.
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      expect(worker.log).not.toContain('ended with attempts in progress');
    },
  );

  it('writes the mail server’s words into the history, and not into the log', async () => {
    const refusals = [Object.assign(new Error('4.7.1 <ada@visitor.example> is greylisted'), { responseCode: 451 })];
    const mail = await MailServer.start({ onRcptTo: (_to, _session, done) => done(refusals.pop()) });
    stack = await DeliveryStack.start({ mail });
    const worker = await startWorker();
    const id = await accept();
    await stack.delivered(id);
    expect((await stack.submissions.find(id))?.history).toContain('<ada@visitor.example> is greylisted');
    await worker.end('SIGTERM');
    expect(worker.log).toContain('"event":"attempt failed"');
    expect(worker.log).not.toContain('visitor.example');
  });

  it('names settings of the example in its log and health > in production', async () => {
    stack = await DeliveryStack.start();
    const worker = await ServiceProcess.start('worker', { ...stack.environment, NODE_ENV: 'production' });
    workers.push(worker);
    const { checks } = (await (await fetch(`${worker.url}/health/ready`)).json()) as {
      checks: Record<string, { status: string; cause: string }>;
    };
    expect(checks['settings']).toMatchObject({ status: 'degraded', cause: expect.stringContaining('SALES_INBOX') });
    expect(worker.log).toMatch(/"level":"warn".*"cause":"HR_INBOX is an address of the example/);
  });

  it('serves only the readiness check, which names missing parts', async () => {
    stack = await DeliveryStack.start();
    const worker = await startWorker();
    const ready = () => fetch(`${worker.url}/health/ready`);
    await until('ready', async () => (await ready()).status === 200);
    await stack.redis.stop();
    await until('only Redis to be unavailable', async () => {
      const answer = await ready();
      const { checks } = (await answer.json()) as { checks: Record<string, { status: string } | undefined> };
      return answer.status === 503 && checks['redis']?.status === 'down' && checks['storage']?.status === 'ok';
    });
    expect((await fetch(`${worker.url}/health/live`)).status).toBe(200);
    await until('the metrics', async () =>
      (await (await fetch(`${worker.url}/metrics`)).text()).includes('kitewright_submissions{state="pending"} 0'),
    );
  });
});
