import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { parse } from 'yaml';
import { valuesIn } from '../../frontend/builder/content/values.ts';
import { inboxUsers, signIn } from '../harness/inbox-users.ts';
import { Mailbox } from '../harness/mailbox.ts';
import { root, StackProcess } from '../harness/stack-process.ts';
import { cloneWorkTree } from '../harness/work-tree.ts';
import { expectNoFindings } from '../pages/accessibility.ts';
import { hydrate, referenceIn } from '../pages/site.ts';

const CONTENT = 'frontend/test/content';

const wordsOf = (folder: string) => parse(readFileSync(join(root, folder, 'wording.yaml'), 'utf8'));
const german = wordsOf(CONTENT);
const { contact } = german.forms;
const textsIn = (words: object) =>
  valuesIn(words).flatMap(({ value }) => (typeof value === 'string' && !value.includes('{') ? [value] : []));
const germanTexts = new Set(textsIn(german));
/** English words of the frame, the forms and their errors that are other words in German. */
const englishTexts = textsIn(wordsOf('frontend/content')).filter((text) => !germanTexts.has(text));

/** Returns the texts of a page and of the attributes that people read or hear. */
const readableIn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) => [
      ...[...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : [])),
      ...['aria-label', 'alt', 'placeholder', 'title'].flatMap((name) => element.getAttribute(name) ?? []),
    ]),
  );

async function expectNoEnglish(page: Page): Promise<void> {
  const texts = new Set((await readableIn(page)).map((text) => text.trim()));
  expect(texts.size).toBeGreaterThan(5);
  expect(englishTexts.filter((text) => texts.has(text))).toEqual([]);
}

let clone: string;
let stack: StackProcess;
test.beforeAll(async () => {
  clone = cloneWorkTree();
  const [sales = ''] = (await inboxUsers()).split(' ');
  stack = await StackProcess.start({ CONTENT, INBOX_USERS: sales }, { root: clone });
});
test.afterAll(async () => {
  await stack?.stop();
  rmSync(clone, { recursive: true, force: true });
});

test('second company > shows its language, and delivers an enquiry', async ({ page, request }) => {
  await page.addInitScript(() => localStorage.setItem('nordlicht-systems-cookie-consent', 'declined'));
  await test.step('pages and errors have no word of the example', async () => {
    for (const path of ['/', '/services/individualsoftware', '/careers/android-entwicklung', '/gibt-es-nicht']) {
      await page.goto(stack.siteUrl + path);
      await expect(page.locator('html')).toHaveAttribute('lang', 'de-DE');
      await expectNoEnglish(page);
    }
    const headers = { Accept: 'text/html' };
    const answer = await request.post(`${stack.siteUrl}/api/contact`, { form: { name: 'Jürgen' }, headers });
    expect(answer.status()).toBe(422);
    // The site's policy allows no other content.
    await page.goto('about:blank');
    await page.setContent(await answer.text());
    await expect(page.getByText(contact.fields.message.missing).first()).toBeVisible();
    await expectNoEnglish(page);
  });

  await page.goto(`${stack.siteUrl}/contact`);
  await hydrate(page);
  await test.step('an incomplete form is refused', async () => {
    await page.getByRole('button', { name: contact.submit }).click();
    await expect(page.getByText(contact.fields.service.missing)).toBeVisible();
    await expectNoEnglish(page);
    await expectNoFindings(page, 'contact');
  });

  await page.locator('#name').fill('Jürgen Groß');
  await page.locator('#email').fill('juergen@example.org');
  await page.locator('#service').selectOption('Festes Team');
  await page.locator('#message').fill('Wir suchen ein Team für größere Aufgaben.');
  await page.getByRole('button', { name: contact.submit }).click();
  await expect(page.getByRole('heading', { name: contact.confirmation })).toBeVisible();
  await expectNoEnglish(page);
  const reference = referenceIn(await page.locator('#contact-outcome').innerText());

  await test.step('it arrives in the mailbox of the company, and in the inbox', async () => {
    const mail = await new Mailbox(stack.mailUrl).waitFor(reference);
    expect([mail.to].flat()[0]?.text).toBe('kontakt@nordlicht-systems.example');
    expect(mail.subject).toContain(contact.noun);
    expect(mail.text).toContain('Festes Team');
    await signIn(page, 'sales', stack.siteUrl);
    await expect(page.getByRole('link', { name: 'Jürgen Groß' })).toBeVisible();
  });
});

test('second company > has room for its longer words > consent, price, button', async ({ page }) => {
  const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, width: 0, height: Infinity };
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(stack.siteUrl);
  const banner = page.getByRole('region', { name: german.consent.name });
  expect.soft((await boxOf(banner)).height, 'the question has a row of its own').toBeLessThan(844 / 7);
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto(`${stack.siteUrl}/services/festes-team`);
  const button = page.getByRole('link', { name: 'Team anfragen' });
  expect.soft((await boxOf(button)).height, 'the button is one line high').toBeLessThan(60);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${stack.siteUrl}/services`);
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Monate' });
  const [text, whole] = [await boxOf(row.getByText('Monate')), await boxOf(row)];
  expect.soft(text.x + text.width, 'the duration is within its row').toBeLessThan(whole.x + whole.width + 1);
});
