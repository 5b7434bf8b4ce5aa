import { afterEach, describe, expect, it } from '@jest/globals';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { SITE_HOST } from '../../test/site-host.ts';
import { Outbox } from '../outbox/outbox.service.ts';
import { MAIL_CONNECTIONS } from '../mail/mailer.service.ts';

let stack: DeliveryStack;
const workers: ServiceProcess[] = [];

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  await stack.close();
});

const accept = (count: number) => Promise.all(Array.from({ length: count }, () => storeEnquiry(stack)));
const messageIds = () => stack.mail.received.map(({ messageId }) => messageId).toSorted();
const expected = (ids: readonly string[]) => ids.map((id) => `<${id}@${SITE_HOST}>`).toSorted();

describe('slow mail server > worker that shuts down', () => {
  it('finishes messages in progress and leaves waiting ones to another worker', async () => {
    stack = await DeliveryStack.start();
    const hold = stack.mail.hold();
    const ids = await accept(4 * MAIL_CONNECTIONS);
    const first = await ServiceProcess.start('worker', stack.environment);
    workers.push(first);
    await until('all connections in use', () => stack.mail.held === MAIL_CONNECTIONS);
    const ended = first.end('SIGTERM');
    await until('the end of the leases of waiting messages', async () => {
      const leased = (db: Parameters<Parameters<DeliveryStack['database']['run']>[0]>[0]) =>
        db.selectFrom('submissions').select('id').where('leaseToken', 'is not', null).execute();
      return (await stack.database.run(leased)).length === MAIL_CONNECTIONS;
    });
    hold.release();
    expect(await ended).toBe(0);
    expect(stack.mail.received).toHaveLength(MAIL_CONNECTIONS);
    await stack.startWorker();
    await stack.delivered(...ids);
    expect(messageIds()).toEqual(expected(ids));
  });

  it('records that a mail may arrive twice > no reply in time', async () => {
    stack = await DeliveryStack.start();
    const hold = stack.mail.hold();
    const worker = await stack.startWorker();
    worker.get(Outbox, { strict: false }).finishMs = 100;
    const [id = ''] = await accept(1);
    await until('the mail at the server', () => stack.mail.held === 1);
    await stack.stopWorker(worker);
    const interrupted = await stack.submissions.find(id);
    expect(interrupted).toMatchObject({ state: 'pending', attempts: 0, history: expect.stringContaining('twice') });
    hold.release();
    await stack.startWorker();
    await stack.delivered(id);
    expect(new Set(messageIds())).toEqual(new Set(expected([id])));
  });
});
