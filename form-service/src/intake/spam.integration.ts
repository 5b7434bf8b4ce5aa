import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { newEnquiry } from '../../test/submissions.ts';
import { contact } from '../contract/forms/contact.ts';
import { FORM_TOKEN_HEADER, HONEYPOT, IDEMPOTENCY_HEADER } from '../contract/protocol.ts';
import { FormTokenService } from './form-token.service.ts';

const ENQUIRY = newEnquiry().fields;

let stack: DeliveryStack;
let api: ApiServer;
/** A second replica. */
let replica: ApiServer;

beforeEach(async () => {
  stack = await DeliveryStack.start();
  const { DATABASE_URL } = stack.settings;
  api = await ApiServer.start(stack.redis.url, { DATABASE_URL });
  replica = await ApiServer.start(stack.redis.url, { DATABASE_URL });
});

afterEach(async () => {
  await Promise.all([api.close(), replica.close()]);
  await stack.close();
});

async function sent(server: ApiServer, body: object, client = '192.0.2.1', headers = {}) {
  const own = { 'X-Forwarded-For': client, [IDEMPOTENCY_HEADER]: randomUUID() };
  const response = await server.postJson('/api/contact', body, { ...own, ...headers });
  const answer = (await response.json()) as { reference: string };
  const found = await stack.submissions.find(answer.reference);
  return { status: response.status, answer, state: found?.state, reasons: found?.reasons };
}

describe('spam filter > filled honeypot', () => {
  it('gets the usual answer, and is quarantined and counted', async () => {
    const { status, answer, state, reasons } = await sent(api, { ...ENQUIRY, [HONEYPOT]: 'Acme' });
    expect([status, state, reasons]).toEqual([202, 'quarantined', ['honeypot filled']]);
    expect(answer).toEqual({ success: true, message: contact.words.sent, reference: answer.reference });
    expect((await sent(api, { ...ENQUIRY, [HONEYPOT]: '' })).state).toBe('pending');
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toContain('kitewright_submissions_total{form="contact",outcome="quarantined"} 1');
  });
});

describe('form tokens', () => {
  const WITH_MARKUP = { ...ENQUIRY, message: 'Our page says <script> and then nothing more.' };
  const reasonsWith = async (server: ApiServer, token: string | undefined, message = WITH_MARKUP.message) => {
    const headers = token === undefined ? {} : { [FORM_TOKEN_HEADER]: token };
    return (await sent(server, { ...ENQUIRY, message }, undefined, headers)).reasons ?? [];
  };

  it('are answered without being stored, to GET and HEAD only', async () => {
    const response = await fetch(`${api.url}/api/form-token`);
    const { headers } = response;
    expect([response.status, headers.get('cache-control'), headers.get('set-cookie')]).toEqual([
      200,
      'no-store, no-transform',
      null,
    ]);
    expect(await response.json()).toEqual({ token: expect.stringMatching(/^[\w.-]{44,46}$/) });
    const head = await fetch(`${api.url}/api/form-token`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await fetch(`${api.url}/api/form-token`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('are valid on another replica > and forged ones on none', async () => {
    // Issued an hour ahead, so that it counts as recent however long the test takes.
    const token = await api.app.get(FormTokenService).issue(Date.now() + 3_600_000);
    expect(await reasonsWith(replica, token)).toEqual(['markup of a web page', 'sent within seconds']);
    const forged = 'mfzz5k00.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa';
    expect(await reasonsWith(replica, forged)).toEqual(['markup of a web page', 'form token not ours']);
    expect(await reasonsWith(replica, undefined)).toEqual([]);
  });
});
