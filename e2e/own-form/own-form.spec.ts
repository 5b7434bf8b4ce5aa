import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { execa } from 'execa';
import { pdfOfSize } from '../../form-service/test/corpus/pdf.ts';
import { PostgresServer } from '../../form-service/test/postgres-server.ts';
import { until } from '../../form-service/test/until.ts';
import { WebhookReceiver } from '../../form-service/test/webhook-receiver.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { CLEAN_ENVIRONMENT } from '../harness/clean-environment.ts';
import { INBOX_PASSWORD, inboxUsers, signIn } from '../harness/inbox-users.ts';
import { Mailbox } from '../harness/mailbox.ts';
import { root, StackProcess, type Environment } from '../harness/stack-process.ts';
import { expect, test } from '../harness/test.ts';
import { applyDocument, cloneWorkTree } from '../harness/work-tree.ts';
import { expectNoFindings } from '../pages/accessibility.ts';
import { hydrate, referenceIn } from '../pages/site.ts';

const DOCUMENT = 'docs/forms.md';

/** Time after which a person has filled in the form, in milliseconds. What is sent sooner is not acknowledged. */
const FILLED_IN_MS = 4_000;

/** Minutes from the start to the digest, which leaves out the latest minute. A slow machine has sent the form by then. */
const DIGEST_IN_MINUTES = 8;

// Each test starts its own stack.
test.use({ baseURL: undefined });
test.describe.configure({ mode: 'serial', timeout: 1_500_000 });

let clone: string;
test.beforeAll(() => {
  clone = cloneWorkTree();
  applyDocument(DOCUMENT, clone);
});
test.afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** Runs one of the operator's commands in the clone. */
const submissions = (args: readonly string[], env: Environment, input: string | Uint8Array = '') =>
  execa(process.execPath, ['scripts/run.mjs', 'scripts/stack/submissions.ts', ...args], {
    cwd: clone,
    env: { ...CLEAN_ENVIRONMENT, ...env },
    input,
    encoding: 'buffer',
  });
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** Settings and command of the document. */
function documentSettings() {
  const text = readFileSync(join(root, DOCUMENT), 'utf8');
  const [, recipients = ''] = /^RECIPIENTS="(.+)"$/m.exec(text) ?? [];
  const [, command = ''] = /^npm run submissions -- (inbox-user .+)$/m.exec(text) ?? [];
  return { recipients, command: command.split(' ') };
}

function newRequest() {
  const marker = randomUUID().slice(0, 8);
  return {
    marker,
    company: `Kites ${marker} & Sons`,
    plan: `We sell your kites in ${marker}.\n\nSoon <b>`,
    start: '2027-03-01',
  };
}

async function fill(page: Page, { company, plan, start }: ReturnType<typeof newRequest>) {
  await page.getByLabel('Company *').fill(company);
  await page.getByLabel('Work Email *').fill('ada@partner.example');
  await page.getByLabel('Partnership *').selectOption('Reseller');
  await page.getByLabel('Region').selectOption('Africa');
  await page.getByLabel('Earliest Start *').fill(start);
  await page.getByLabel('Your Plan *').fill(plan);
}

test('docs/forms.md > the changed tree builds and has no mistake in its types', async () => {
  const run = (...args: readonly string[]) =>
    execa(process.execPath, args, { cwd: clone, env: CLEAN_ENVIRONMENT, all: true, reject: false });
  const build = await run('scripts/stack/build.ts', 'form-service', 'frontend');
  expect([build.exitCode, build.all]).toEqual([0, expect.not.stringContaining('mistake')]);
  const types = await run(join(root, 'node_modules/typescript/bin/tsc'), '-p', 'frontend', '--noEmit');
  expect(types.all).toBe('');
});

for (const engine of ['SQLite', 'PostgreSQL'])
  test(`docs/forms.md > the form goes from the browser to its erasure > ${engine}`, async ({
    page,
    browser,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 422/);
    const missing = engine === 'PostgreSQL' ? PostgresServer.missing() : undefined;
    test.skip(missing !== undefined, missing);
    const postgres = engine === 'PostgreSQL' ? await PostgresServer.start() : undefined;
    const receiver = await WebhookReceiver.start();
    const { recipients, command } = documentSettings();
    const { stdout: line } = await submissions(command, {}, `${INBOX_PASSWORD}\n`);
    const settings = {
      RECIPIENTS: recipients,
      INBOX_USERS: `${await inboxUsers()} ${textOf(line).trim()}`.replace(/ \S+:oidc/, ''),
      ACKNOWLEDGE: 'on',
      DIGEST_AT: new Date(Date.now() + DIGEST_IN_MINUTES * 60_000).toISOString().slice(11, 16),
      ...receiver.settings,
      ...(postgres && { DATABASE_URL: await postgres.createDatabase() }),
    };
    const stack = await StackProcess.start(settings, { root: clone });
    const mailbox = new Mailbox(stack.mailUrl);
    const address = `${stack.siteUrl}/partners`;
    const [request, plain] = [newRequest(), newRequest()];
    const profile = { name: 'Profile.pdf', mimeType: 'application/pdf', buffer: pdfOfSize(300_000) };
    const folder = makeTemporaryFolder();
    try {
      await test.step('the form shows its mistakes, and has no obstacle', async () => {
        await page.goto(address);
        await hydrate(page);
        await expectNoFindings(page, 'empty form');
        await page.getByRole('button', { name: 'Send Request' }).click();
        await expect(page.getByText('Please tick this box')).toBeVisible();
        await expect(page.getByLabel('Company *')).toBeFocused();
        for (const theme of ['light', 'dark'] as const) await expectNoFindings(page, 'form with mistakes', theme);
      });

      const reference = await test.step('a visitor sends it', async () => {
        await fill(page, request);
        await page.getByLabel('Company Profile').setInputFiles(profile);
        await page.getByLabel('You may store my request and answer it *').check();
        await page.waitForTimeout(FILLED_IN_MS);
        await page.getByRole('button', { name: 'Send Request' }).click();
        await expect(page.locator('#partner-outcome')).toContainText('Your reference is KW-');
        return referenceIn(await page.locator('#partner-outcome').innerText());
      });

      const plainReference = await test.step('a visitor sends it without JavaScript', async () => {
        const context = await browser.newContext({ javaScriptEnabled: false });
        const other = await context.newPage();
        await other.goto(address);
        await fill(other, plain);
        await other.getByRole('button', { name: 'Send Request' }).click();
        await expect(other.getByRole('link', { name: /Please tick this box/ })).toBeVisible();
        await expect(other.getByLabel('Company *')).toHaveValue(plain.company);
        await expect(other.getByLabel('Earliest Start *')).toHaveValue(plain.start);
        await expect(other.getByLabel('Partnership *')).toHaveValue('Reseller');
        await other.getByLabel('You may store my request and answer it *').check();
        await other.getByLabel('Company *').fill('');
        await other.getByRole('button', { name: 'Send Request' }).click();
        await expect(other.getByLabel('You may store my request and answer it *')).toBeChecked();
        await other.getByLabel('Company *').fill(plain.company);
        await other.getByRole('button', { name: 'Send Request' }).click();
        await expect(other.getByRole('heading', { name: 'Request sent' })).toBeVisible();
        const text = await other.locator('body').innerText();
        await context.close();
        return referenceIn(text);
      });

      await test.step('the plain page has no obstacle', async () => {
        await page.goto(address);
        await page.evaluate(() => document.querySelector<HTMLFormElement>('[data-island] form')?.submit());
        await expect(page.getByRole('alert')).toBeVisible();
        await expectNoFindings(page, 'plain page');
      });

      await test.step('the form is not printed', async () => {
        await page.goto(address);
        await page.emulateMedia({ media: 'print' });
        await expect(page.locator('[data-island]')).toBeHidden();
        await page.emulateMedia({ media: null });
      });

      await test.step('a repeated request is stored once, spam is held back', async () => {
        const data = {
          company: 'Repeat Ltd',
          email: 'eve@partner.example',
          partnership: 'Referral',
          start: '2027-01-01',
          plan: 'We recommend you to everybody.',
          consent: 'yes',
        };
        const headers = { 'Idempotency-Key': randomUUID(), Accept: 'application/json' };
        const post = async (changes = {}, key = headers['Idempotency-Key']) => {
          const options = { multipart: { ...data, ...changes }, headers: { ...headers, 'Idempotency-Key': key } };
          const answer = await page.request.post(`${stack.siteUrl}/api/partner`, options);
          return [answer.status(), ((await answer.json()) as { reference?: string }).reference] as const;
        };
        const first = await post();
        expect(first[0]).toBe(202);
        expect(await post()).toEqual(first);
        expect((await post({ plan: 'Another plan for all of us.' }))[0]).toBe(409);
        expect((await post({ company: 'Spam Ltd', topicNote: 'x' }, randomUUID()))[0]).toBe(202);
      });

      await test.step('the partner mailbox gets the mail, the visitor an acknowledgement, the webhook a post', async () => {
        const mail = await mailbox.waitFor(request.marker);
        expect([mail.to].flat()[0]?.text).toBe('partners@firm.example');
        expect(mail.subject).toContain('Reseller partner request from');
        expect(mail.text).toContain('2027-03-01');
        expect(mail.attachments[0]?.content.equals(profile.buffer)).toBe(true);
        expect((await mailbox.waitFor(plain.marker)).text).toContain(plain.plan);
        const thanks = await mailbox.waitFor(`We have your Reseller partner request (${reference})`);
        expect([thanks.to].flat()[0]?.text).toBe('ada@partner.example');
        await until('the post', () => receiver.posts.some(({ body }) => body.includes(request.marker)));
      });

      await test.step('the partner manager finds it, sales does not', async () => {
        await signIn(page, 'sales', stack.siteUrl);
        expect((await page.request.get(`${stack.siteUrl}/inbox/${reference}`)).status()).toBe(404);
        await page.context().clearCookies();
        await signIn(page, 'pat', stack.siteUrl);
        await page.getByRole('searchbox').fill(request.marker);
        await page.getByRole('searchbox').press('Enter');
        await page.getByRole('link', { name: request.company }).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(request.company);
        await expect(page.locator('body')).toContainText('You may store my request and answer it');
        const csv = await (await page.request.get(`${stack.siteUrl}/inbox/export.csv`)).text();
        expect(csv).toContain(reference);
        expect(csv).toContain('Profile.pdf');
      });

      await test.step('a digest names what was held back', async () => {
        await until('the digest', async () => (await mailbox.count('1 held back')) > 0, 2 * DIGEST_IN_MINUTES * 60_000);
        const digest = await mailbox.waitFor('1 held back');
        expect([digest.to].flat()[0]?.text).toBe('partners@firm.example');
        expect(digest.text).toContain('A partner request\nReferral');
      });

      await test.step('a backup has it, an erasure removes it, a restore brings the backup back', async () => {
        const archive = (await submissions(['backup'], stack.connections)).stdout;
        await page.goto(`${stack.siteUrl}/inbox/${reference}`);
        await page.getByRole('link', { name: 'Erase this partner request' }).click();
        await page.getByRole('button', { name: 'Erase for good' }).click();
        await expect(page.getByRole('button', { name: 'Erase for good' })).toBeHidden();
        expect((await page.request.get(`${stack.siteUrl}/inbox/${reference}`)).status()).toBe(404);
        const elsewhere = {
          DATABASE_URL: (await postgres?.createDatabase()) ?? `file:${join(folder, 'submissions.db')}`,
          RESUMES_URL: `file:${join(folder, 'resumes')}`,
        };
        await submissions(['restore'], elsewhere, archive);
        for (const one of [reference, plainReference]) {
          const { stdout } = await submissions(['show', one, '--json'], elsewhere);
          expect(JSON.parse(textOf(stdout))).toMatchObject({ form: 'partner', fields: { region: 'Africa' } });
        }
      });
    } finally {
      await stack.stop();
      receiver.close();
      await postgres?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
