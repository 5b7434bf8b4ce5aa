import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { newEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';

const PASSWORD = 'a password of some length';

let stack: DeliveryStack;
let worker: ServiceProcess;

beforeEach(async () => {
  stack = await DeliveryStack.start();
});

afterEach(async () => {
  await worker.end('SIGKILL');
  await stack.close();
});

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${worker.url}${path}`, { headers, method });

describe('The queue dashboard', () => {
  it('The dashboard shows jobs with references only, to whoever knows the password', async () => {
    // The mail server takes its time, so that the job stays.
    stack.mail.hold();
    worker = await ServiceProcess.start('worker', { ...stack.environment, QUEUE_DASHBOARD_PASSWORD: PASSWORD });
    const submission = newEnquiry();
    await stack.submissions.insert(submission);
    const operator = basic('operator', PASSWORD);

    const page = await get('/queues', operator);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const html = await page.text();
    const [script] = /static\/js\/main\.[^"]+\.js/.exec(html) ?? [];
    expect((await get(`/queues/${script}`, operator)).status).toBe(200);
    const text = await until('the job', async () => {
      const answer = await (await get('/queues/api/queues?activeQueue=delivery&status=active&page=1', operator)).text();
      return answer.includes(submission.id) && answer;
    });
    expect(text).toContain('"readOnlyMode":true');
    expect(text).not.toContain(submission.fields.email);
    expect(text).not.toContain(submission.fields.name);
  });

  it('The dashboard refuses everybody else, changes nothing, and limits guessing', async () => {
    worker = await ServiceProcess.start('worker', { ...stack.environment, QUEUE_DASHBOARD_PASSWORD: PASSWORD });
    for (const path of ['/queues', '/queues/', '/queues/api/queues', '/queues/static/css/x.css']) {
      const answer = await get(path);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('Basic');
    }
    expect((await get('/queues/api/queues/delivery/pause', basic('operator', PASSWORD), 'PUT')).status).toBe(405);
    expect((await get('/queues/api/queues/delivery/clean/failed', basic('operator', PASSWORD), 'POST')).status).toBe(
      405,
    );
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++)
      statuses.push((await get('/queues', basic('operator', `${PASSWORD}${guess}`))).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toEqual([429, 429]);
    expect((await get('/health/live')).status).toBe(200);
  });

  it('Without a password there is no dashboard', async () => {
    worker = await ServiceProcess.start('worker', stack.environment);
    expect((await get('/queues')).status).toBe(404);
    expect((await get('/queues/api/queues', basic('operator', ''))).status).toBe(404);
  });
});
