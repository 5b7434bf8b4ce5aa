import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { Operator } from '../faults/operator.ts';
import { Mailbox } from '../harness/mailbox.ts';
import { startStack, type StackProcess } from '../harness/stack-process.ts';
import { fillEnquiry, newEnquiry } from '../support/enquiry-form.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Longer than the three seconds in which only a program sends a form, and than the work takes on a busy machine. */
const READING_MS = 8_000;

let stack: StackProcess;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  stack = await startStack({ ALTCHA_HMAC_KEY: randomBytes(32).toString('hex') });
});
test.afterAll(() => stack.stop());

test('a browser does the work while its visitor writes, and what a person may write arrives; without the work it is set aside', async ({ page }) => {
  const problems: string[] = [];
  page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && problems.push(message.text())));
  page.on('pageerror', (error) => problems.push(String(error)));
  const enquiry = { ...newEnquiry(), message: 'Our page says <script src=x> and then nothing more.' };
  await page.goto(`${stack.siteUrl}/contact`);
  await fillEnquiry(page, enquiry);
  await page.waitForTimeout(READING_MS);
  const answered = page.waitForResponse('**/api/contact');
  await page.getByRole('button', { name: 'Send Message' }).click();
  const answer = await answered;
  const headers = await answer.request().allHeaders();
  expect(headers).toMatchObject({ 'form-token': expect.any(String), 'form-proof': expect.any(String) });
  expect(problems).toEqual([]);

  const send = async (more: Record<string, string>) => {
    const body = { ...enquiry, message: `${enquiry.message} ${JSON.stringify(more)}` };
    const response = await page.request.post(`${stack.siteUrl}/api/contact`, { headers: { accept: 'application/json', ...more }, data: body });
    return ((await response.json()) as { reference: string }).reference;
  };
  const again = await page.request.post(`${stack.siteUrl}/api/contact`, {
    headers: { accept: 'application/json', 'idempotency-key': headers['idempotency-key'] ?? '' },
    data: answer.request().postDataJSON() as object,
  });
  const { reference } = (await again.json()) as { reference: string };
  await new Mailbox(stack.mailUrl).waitFor(reference);

  const [without, replayed] = [await send({}), await send({ 'form-proof': headers['form-proof'] ?? '' })];
  const quarantined = await new Operator(root, `file:${stack.dataDir}/submissions`).list('quarantined');
  expect(quarantined.toSorted()).toEqual([without, replayed].toSorted());
});
