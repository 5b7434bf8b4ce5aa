import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { AddressObject } from 'mailparser';
import { register } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { newApplication, storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { readSettings } from '../config/settings.ts';
import { HealthService } from '../observability/health.service.ts';
import { FileStorage, submissionIdOf } from '../files/file-storage.ts';
import { randomSubmissionId } from '../submissions/submission-id.ts';
import { DeliveryService } from './delivery.service.ts';
import { Refusals } from './refusals.ts';

let stack: DeliveryStack;

afterEach(async () => {
  await stack.close();
  register.resetMetrics();
});

const FIELDS = { ...newApplication(Buffer.alloc(0)).fields, position: 'Android developer' };

/** Starts a mail server whose HR address accepts only internal senders, the default of groups in Microsoft 365. */
function refusingHr(refusals: { isOver: boolean }): Promise<MailServer> {
  return MailServer.start({
    onRcptTo: ({ address }, _session, done) => {
      const isRefused = address === readSettings({}).HR_INBOX && !refusals.isOver;
      const words = '5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup';
      done(isRefused ? Object.assign(new Error(words), { responseCode: 550 }) : null);
    },
  });
}

describe('delivery rejections > inbox', () => {
  it('does not delay another inbox > more rejected applications than connections', async () => {
    const refusals = { isOver: false };
    stack = await DeliveryStack.start({ mail: await refusingHr(refusals) });
    const worker = await stack.startWorker();
    worker.get(Refusals).firstMs = 50;
    const stuck = await Promise.all(Array.from({ length: 8 }, () => storeApplication(stack, randomBytes(1_000))));
    await until('each application to be refused or to wait', async () => {
      const all = await Promise.all(stuck.map((id) => stack.submissions.find(id)));
      return all.every((found) => found?.lastError);
    });
    await stack.delivered(await storeEnquiry(stack));
    expect(new Set(await Promise.all(stuck.map((id) => stack.stateOf(id))))).toEqual(new Set(['pending']));
    const report = await worker.get(HealthService).report();
    expect(report.checks['mail server']?.status).toBe('ok');
    await until('the alert', async () =>
      (await register.metrics()).includes('kitewright_alerts_total{kind="mailbox-refuses"} 1\n'),
    );
    refusals.isOver = true;
    await stack.delivered(...stuck);
  });
});

describe('delivery rejections > two recipients of applications', () => {
  it('delay only the one that rejects mail, which the alert names', async () => {
    const refusals = { isOver: false };
    const settings = { RECIPIENTS: new Map([['android-developer', 'mobile@kitewright.example']]) };
    stack = await DeliveryStack.start({ mail: await refusingHr(refusals), settings });
    const holds = (await stack.startWorker()).get(Refusals);
    holds.firstMs = 2_000;
    const toHr = await storeApplication(stack, randomBytes(1_000), {
      fields: { ...FIELDS, position: 'Anything else' },
    });
    await until('a refusal', async () => (await stack.submissions.find(toHr))?.lastError);
    await stack.delivered(await storeApplication(stack, randomBytes(1_000), { fields: FIELDS }));
    expect(holds.mailboxesThatRefuse).toEqual([`${stack.settings.HR_INBOX} (SMTP 550 5.7.133)`]);
    expect(stack.mail.received.map(({ to }) => (to as AddressObject).text)).toEqual(['mobile@kitewright.example']);
    refusals.isOver = true;
    await stack.delivered(toHr);
    expect(holds.mailboxesThatRefuse).toEqual([]);
  });
});

describe('delivery rejections > file that stalls', () => {
  it('times out, and does not block other files', async () => {
    stack = await DeliveryStack.start();
    const worker = await stack.startWorker();
    const id = randomSubmissionId();
    const files = worker.get(FileStorage, { strict: false });
    const open = files.open.bind(files);
    jest.spyOn(files, 'open').mockImplementation(async (file) => {
      if (submissionIdOf(file.key) !== id) return open(file);
      const content = new PassThrough();
      content.write(randomBytes(100));
      return content;
    });
    const deliveries = worker.get(DeliveryService);
    const { fileMaxMs } = deliveries;
    deliveries.fileMaxMs = 2_000;
    const stalled = await storeApplication(stack, randomBytes(1_000), { id });
    const healthy = await Promise.all(Array.from({ length: 3 }, () => storeApplication(stack, randomBytes(1_000))));
    await stack.delivered(...healthy);
    await until('the end of the attempt', async () =>
      (await stack.submissions.find(stalled))?.lastError?.includes('took too long'),
    );
    files.open = open;
    deliveries.fileMaxMs = fileMaxMs;
    await stack.delivered(stalled);
  });
});
