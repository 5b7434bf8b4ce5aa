import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { SITE_HOST } from '../../test/site-host.ts';

let stack: DeliveryStack;
let worker: ServiceProcess;

/** Starts one worker process for the tests of a group, because a start takes most of the time of a test. */
function startForAll(variables: Readonly<Record<string, string>>, startMail = () => MailServer.start()): void {
  beforeAll(async () => {
    stack = await DeliveryStack.start({ mail: await startMail() });
    worker = await ServiceProcess.start('worker', { ...stack.environment, ...variables });
  });
  afterAll(async () => {
    await worker.end('SIGKILL');
    await stack.close();
  });
}

const accept = () => storeEnquiry(stack, { name: 'Never Logged', message: 'Nothing of this may be in a log.' });

/** Returns status and checks of the readiness check. */
async function readiness() {
  const answer = await fetch(`${worker.url}/health/ready`);
  const { checks } = (await answer.json()) as {
    checks: Record<string, { readonly status: string; readonly cause?: string } | undefined>;
  };
  return { status: answer.status, checks };
}

describe('delivery > worker process', () => {
  startForAll({});

  it('leaves its message to another worker > killed, with at most one extra copy', async () => {
    stack.mail.behaviour = 'hang after data';
    const id = await accept();
    await until('a message on its way', () => stack.mail.attempts > 0);
    await worker.end('SIGKILL');
    stack.mail.behaviour = 'accept';
    // Ends the lease of the dead worker.
    await stack.database.run((db) => db.updateTable('submissions').set({ leaseUntil: 0 }).execute());
    await stack.startWorker();
    await stack.delivered(id);
    expect(stack.mail.received.length).toBeLessThanOrEqual(2);
    expect(new Set(stack.mail.received.map(({ messageId }) => messageId))).toEqual(new Set([`<${id}@${SITE_HOST}>`]));
  });
});

/** A worker in production has mailboxes of its own. */
const PRODUCTION = {
  NODE_ENV: 'production',
  SALES_INBOX: 'sales@firm.test',
  HR_INBOX: 'hr@firm.test',
  MAIL_FROM: 'website@firm.test',
};

describe('delivery > worker process in production', () => {
  const refusals = [Object.assign(new Error('4.7.1 <ada@visitor.example> is greylisted'), { responseCode: 451 })];
  startForAll({ ...PRODUCTION, SUBMISSION_WEBHOOK_URL: 'http://127.0.0.1:1/' }, () =>
    MailServer.start({ onRcptTo: (_to, _session, done) => done(refusals.pop()) }),
  );

  it('writes the mail server’s words into the history, and not into the log', async () => {
    const id = await accept();
    await until('the refusal', async () => (await stack.submissions.find(id))?.attempts === 1);
    await stack.pass(5 * 60_000);
    await stack.delivered(id);
    expect((await stack.submissions.find(id))?.history).toContain('<ada@visitor.example> is greylisted');
    await until('the line of the log', () => worker.log.includes('"event":"attempt failed"'));
    expect(worker.log).not.toContain('visitor.example');
  });

  it('finishes its message, and logs nothing about the visitor > SIGTERM', async () => {
    const hold = stack.mail.hold();
    const id = await accept();
    await until('a message on its way', () => stack.mail.held === 1);
    const port = Number(new URL(worker.url ?? '').port);
    const request = connect(port, '127.0.0.1');
    request.on('error', () => undefined).write('GET /health/live HTTP/1.1\r\nhost: worker\r\n');
    const ended = worker.end('SIGTERM');
    await until('the shutdown', () => worker.log.includes('"event":"finishing attempts"'));
    expect(await stack.stateOf(id)).toBe('pending');
    hold.release();
    await until('the message', async () => (await stack.stateOf(id)) === 'delivered');
    // The response comes after the server was closed, and the client keeps its connection.
    const isClosed = () =>
      new Promise<boolean>((resolve) => {
        const probe = connect(port, '127.0.0.1', () => resolve(false)).on('error', () => resolve(true));
        probe.unref().end();
      });
    await until('a closed port', isClosed);
    request.write('\r\n');
    const late = pause(20_000, 'kept by a connection', { ref: false });
    expect(await Promise.race([ended, late])).toBe(0);
    request.destroy();
    expect(await stack.stateOf(id)).toBe('delivered');
    expect(worker.log).toContain(id);
    expect(worker.log).not.toMatch(/Never Logged|Nothing of this|visitor\.example/);
  });
});

describe('delivery > worker process that loses Redis', () => {
  startForAll({});

  it('serves only the readiness check, which names missing parts', async () => {
    await until('ready', async () => (await readiness()).status === 200);
    await stack.redis.stop();
    await until('only Redis to be unavailable', async () => {
      const { status, checks } = await readiness();
      return status === 503 && checks['redis']?.status === 'down' && checks['storage']?.status === 'ok';
    });
    expect((await fetch(`${worker.url}/health/live`)).status).toBe(200);
    await until('the metrics', async () =>
      (await (await fetch(`${worker.url}/metrics`)).text()).includes('kitewright_submissions{state="pending"} 0'),
    );
  });

  it('ends without a warning on SIGTERM > it never sent a mail', async () => {
    await accept();
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(worker.log).not.toContain('ended with attempts in progress');
  });
});
