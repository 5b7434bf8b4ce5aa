import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { application } from './contract/forms/application.ts';
import { contact } from './contract/forms/contact.ts';
import { OPINION, survey } from '../test/survey.ts';

// The modules of the service are loaded after the list has a third form.
jest.unstable_mockModule('./contract/form-list.ts', () => ({ FORMS: [contact, application, survey] }));
const { ApiServer } = await import('../test/api-server.ts');
const { DeliveryStack } = await import('../test/delivery-stack.ts');
const { describeEachEngineAnew } = await import('../test/each-engine.ts');
const { InboxClient, inboxUsers } = await import('../test/inbox-client.ts');
const { notificationsOf } = await import('../test/notifications.ts');
const { run } = await import('../test/run-command.ts');
const { until } = await import('../test/until.ts');
const { WebhookReceiver } = await import('../test/webhook-receiver.ts');
const { pdfOfSize } = await import('../test/corpus/pdf.ts');
const { FormTokenService } = await import('./intake/form-token.service.ts');
const { words } = await import('../test/words.ts');

const { acknowledgement, submission } = words.mails;
const MAILBOX = 'survey@firm.example';

describeEachEngineAnew('a third form > %s', (engine) => {
  let stack: Awaited<ReturnType<typeof DeliveryStack.start>>;
  let api: Awaited<ReturnType<typeof ApiServer.start>>;
  let receiver: Awaited<ReturnType<typeof WebhookReceiver.start>>;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    const settings = {
      DATABASE_URL: engine.url,
      RESUMES_URL: `file:${join(engine.folder, 'files')}`,
      RECIPIENTS: new Map([['survey', MAILBOX]]),
      INBOX_USERS: await inboxUsers({ pat: 'survey', sam: 'sales', ada: 'all' }),
      ACKNOWLEDGE: 'on' as const,
      ...receiver.settings,
    };
    stack = await DeliveryStack.start({ settings });
    api = await ApiServer.start(stack.redis.url, settings);
  });
  afterEach(async () => {
    await api.close();
    await stack.close();
    receiver.close();
  });

  /** Sends the form as a browser does. */
  async function send(values: object, headers: Record<string, string>, file: Buffer) {
    const body = new FormData();
    for (const [name, value] of Object.entries(values)) body.append(name, String(value));
    body.append('evidence', new Blob([new Uint8Array(file)]), 'Proof.pdf');
    return api.post(survey.path, body, headers);
  }

  async function startInbox() {
    const worker = (await stack.startWorker()) as INestApplication;
    await worker.listen(0, '127.0.0.1');
    return new InboxClient(`http://127.0.0.1:${(worker.getHttpServer().address() as AddressInfo).port}`);
  }

  engine.it('goes from the visitor to mail, webhook, inbox, export and erasure', async () => {
    const token = await api.app.get(FormTokenService, { strict: false }).issue(Date.now() - 60_000);
    const headers = { Accept: 'application/json', 'Idempotency-Key': randomUUID(), 'Form-Token': token ?? '' };
    const file = pdfOfSize(2_000);
    const answer = await send(OPINION, headers, file);
    expect(answer.status).toBe(202);
    const { reference } = (await answer.json()) as { reference: string };
    const repeated = await send(OPINION, headers, file);
    expect(await repeated.json()).toMatchObject({ reference });
    expect((await send({ ...OPINION, seats: '13' }, headers, file)).status).toBe(409);

    const inbox = await startInbox();
    await stack.delivered(reference);
    await until(
      'the acknowledgement',
      async () => (await notificationsOf(stack.database, reference))['acknowledgement'] === 'delivered',
    );
    await until('the post', () => receiver.posts.length === 1);

    const [mail, thanks] = stack.mail.received;
    expect(mail).toMatchObject({
      to: { text: MAILBOX },
      subject: `${submission.subjectWithTopic({ topic: 'Price', noun: 'opinion', name: OPINION.email })} (${reference})`,
      attachments: [{ filename: 'Proof.pdf', content: file }],
      text: expect.stringMatching(/Size:? +Large[^]*Seats:? +12[^]*Start:? +31 March 2026[^]*You may answer me:? +Yes/),
    });
    const thankYou = acknowledgement.subjectWithTopic({ topic: 'Price', noun: 'opinion' });
    expect(thanks).toMatchObject({ to: { text: OPINION.email }, subject: `${thankYou} (${reference})` });
    expect(JSON.parse(receiver.posts[0]?.body ?? '')).toMatchObject({ form: 'survey', fields: OPINION });

    const page = async (user: string, path: string) => (await inbox.call(path, { user })).text;
    expect(await page('pat', `/inbox/${reference}`)).toContain(`${OPINION.email}: Price`);
    const shown = (await page('pat', `/inbox/${reference}`)).match(/(?<=<dd[^>]*>)[^<]*/g);
    expect(shown).toEqual(expect.arrayContaining(['31 March 2026', 'Yes']));
    expect((await inbox.call(`/inbox/${reference}`, { user: 'sam' })).status).toBe(404);
    expect(await page('sam', '/inbox')).not.toContain(reference);
    for (const words of ['worth', 'large', '2026-03-31', 'proof.pdf', OPINION.email, reference])
      expect(await page('pat', `/inbox?q=${words}`)).toContain(`/inbox/${reference}`);
    // The value of a ticked box is no text of the visitor.
    expect(await page('pat', '/inbox?q=yes')).not.toContain(`/inbox/${reference}`);
    expect(await page('ada', '/inbox?topic=Price')).toContain(`/inbox/${reference}`);
    const [head = '', ...rows] = (await page('pat', '/inbox/export.csv')).trim().split('\r\n');
    const columns = head.split(',');
    const cells = rows.find((row) => row.startsWith(reference))?.split(',') ?? [];
    const cellOf = (name: string) => cells[columns.indexOf(name)];
    expect(['Form', 'Email', 'Size', 'Seats', 'Start', 'You may answer me', 'Message', 'File'].map(cellOf)).toEqual([
      'survey',
      OPINION.email,
      'Large',
      '12',
      '2026-03-31',
      'yes',
      OPINION.opinion,
      'Proof.pdf',
    ]);

    const { DATABASE_URL, RESUMES_URL = '' } = stack.settings;
    const erased = await run({ DATABASE_URL, RESUMES_URL }, ['erase', '--email', OPINION.email, '--yes']);
    expect([erased.code, await stack.submissions.find(reference)]).toEqual([0, undefined]);
  });
});
