import { expect, test } from '@playwright/test';
import { startStack, type StackProcess } from '../harness/stack-process.ts';

const LIMIT = 2;
const ENQUIRY = JSON.stringify({
  name: 'Ada',
  email: 'ada@visitor.example',
  service: 'Web Development',
  message: 'We need a new website.',
});

let stack: StackProcess;
test.describe.configure({ mode: 'serial' });
test.afterEach(() => stack.stop());

/** The statuses of enquiries, one after the other, through a proxy that says whom they are from. */
async function enquire(...addresses: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const address of addresses) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    statuses.push((await fetch(`${stack.siteUrl}/api/contact`, { method: 'POST', body: ENQUIRY, headers })).status);
  }
  return statuses;
}

test('behind a trusted proxy each visitor has a limit, and each network of IPv6', async () => {
  stack = await startStack({ RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' });
  expect(await enquire('198.51.100.7', '198.51.100.7', '198.51.100.7')).toEqual([202, 202, 429]);
  expect(await enquire('198.51.100.8', '203.0.113.9, 198.51.100.7')).toEqual([202, 429]);
  expect(await enquire('2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1:ffff::3', '2001:db8:0:2::1')).toEqual([
    202, 202, 429, 202,
  ]);
});

test('without one nobody gets round the limit by naming addresses', async () => {
  stack = await startStack({ RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUSTED_PROXIES: '' });
  expect(await enquire('198.51.100.1', '198.51.100.2', '198.51.100.3', '2001:db8::1')).toEqual([202, 202, 429, 429]);
});
