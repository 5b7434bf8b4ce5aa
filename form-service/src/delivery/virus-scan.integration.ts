import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { Clamd, clamdMissing, FINDING, HARMLESS_MALWARE } from '../../test/clamd.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { run } from '../../test/run-command.ts';
import { storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { words } from '../../test/words.ts';
import { SITE_HOST } from '../../test/site-host.ts';
import { DeliveryError } from '../outbox/attempt.ts';
import { VirusScanner } from './virus-scanner.service.ts';

const missing = clamdMissing();
if (missing) process.stderr.write(`SKIPPED: the virus scan, because ${missing}\n`);
const describeWithClamd = missing ? describe.skip : describe;

describeWithClamd('virus scan', () => {
  let clamd: Clamd;
  let stack: DeliveryStack | undefined;

  beforeEach(async () => {
    clamd = await Clamd.reserve();
  });

  afterEach(async () => {
    await stack?.close();
    stack = undefined;
    await clamd.close();
  });

  const malware = () => Buffer.concat([randomBytes(100_000), Buffer.from(HARMLESS_MALWARE), randomBytes(100_000)]);

  it('finds malware over TCP and the socket, and gives no verdict on a large file', async () => {
    await clamd.start();
    for (const url of [clamd.url, clamd.socketUrl]) {
      const client = new VirusScanner({ CLAMD_URL: url });
      expect(await client.scan(Readable.from([randomBytes(300_000)]))).toBeUndefined();
      expect(await client.scan(Readable.from([malware()]))).toBe(FINDING);
    }
    const chunks = Array.from({ length: 130 }, () => randomBytes(100_000));
    await expect(new VirusScanner({ CLAMD_URL: clamd.url }).scan(Readable.from(chunks))).rejects.toThrow(DeliveryError);
  });

  it('quarantines an infected application, notifies HR, and sends it on release', async () => {
    await clamd.start();
    stack = await DeliveryStack.start({ settings: { CLAMD_URL: clamd.url } });
    await stack.startWorker();
    const id = await storeApplication(stack, malware());
    await until('quarantined', async () => (await stack?.stateOf(id)) === 'quarantined');
    expect((await stack.submissions.find(id))?.reasons).toEqual([`virus scan: ${FINDING}`]);
    const figures = await register.metrics();
    expect(figures).toContain('kitewright_alerts_total{kind="submission-quarantined"} 1\n');
    const [notice] = stack.mail.received;
    expect(notice?.attachments).toHaveLength(0);
    expect(notice?.text).toContain(FINDING);
    expect(notice?.messageId).toBe(`<${id}.quarantined@${SITE_HOST}>`);

    await run(stack.environment, ['release', id]);
    await stack?.delivered(id);
    expect(stack.mail.received[1]?.attachments).toHaveLength(1);
    const { heldBack, virus } = words.submissions;
    const why = heldBack({ reasons: virus({ virus: FINDING }) });
    const text = stack.mail.received[1]?.text?.replace(/\s+/g, ' ');
    expect(text).toContain(`${why} ${words.mails.submission.releasedBy({ name: words.submissions.operator })}`);
  });

  it('scans the file of a released application > another reason had held it back', async () => {
    await clamd.start();
    stack = await DeliveryStack.start({ settings: { CLAMD_URL: clamd.url } });
    const id = await storeApplication(stack, malware(), { quarantined: true, reasons: ['honeypot filled'] });
    await stack.submissions.requeue([id], { from: ['quarantined'], event: 'released' });
    await stack.startWorker();
    await until('the end of the delivery', async () => (await stack?.stateOf(id)) !== 'pending');
    expect(await stack.submissions.find(id)).toMatchObject({
      state: 'quarantined',
      reasons: ['honeypot filled', `virus scan: ${FINDING}`],
    });
    expect(stack.mail.received[0]?.attachments).toHaveLength(0);
  });

  it('delays only applications > the scanner is unavailable', async () => {
    stack = await DeliveryStack.start({ settings: { CLAMD_URL: clamd.url } });
    await stack.startWorker();
    const id = await storeApplication(stack, randomBytes(50_000));
    const enquiry = await storeEnquiry(stack);
    await until('the enquiry', async () => (await stack?.stateOf(enquiry)) === 'delivered');
    await until('a failed scan in the database', async () => {
      return (await stack?.submissions.find(id))?.lastError === 'scanner: ECONNREFUSED';
    });
    expect(stack.mail.received).toHaveLength(1);
    expect((await stack.submissions.find(id))?.attempts).toBe(0);
    await clamd.start();
    await stack.deliveredAfterWaits(id);
    expect(stack.mail.received).toHaveLength(2);
  });
});
