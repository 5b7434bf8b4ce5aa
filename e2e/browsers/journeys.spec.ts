import { appendFileSync, utimesSync, writeFileSync } from 'node:fs';
import { messages } from '../../form-service/src/contract/messages.ts';
import { findProgram } from '../../scripts/stack/programs.ts';
import { INBOX_PASSWORD } from '../harness/inbox-users.ts';
import { isComplete } from '../harness/matrix.ts';
import { CONSENT_KEY, expect, test } from '../harness/test.ts';
import { newApplication, resumeOf } from '../pages/application-page.ts';
import { newEnquiry } from '../pages/enquiry-page.ts';
import { referenceIn } from '../pages/site.ts';
import { servicePath } from '../support/content.ts';
import type { Browser } from './browser.ts';
import { startFirefox } from './firefox.ts';
import { startProxy } from './proxy.ts';
import { startWebKit } from './webkit.ts';
import { applicationWords } from '../pages/words.ts';

const firefox = findProgram('firefox-esr');
const webKit = findProgram('WebKitWebDriver');
const screen = findProgram('Xvfb');

const browsers = {
  Firefox: firefox === undefined ? undefined : () => startFirefox(firefox),
  WebKit: webKit === undefined || screen === undefined ? undefined : () => startWebKit(webKit, screen),
};

/** Whether the application form is hydrated. Its first focus starts that. */
const IS_HYDRATED = `Object.keys(document.querySelector('[data-island] form') ?? {}).some((key) => key.startsWith('__react'))`;

/** Whether React knows all typed values. Until then the submit button does nothing. */
const IS_COMPLETE = `document.querySelector('dialog [type=submit]').ariaDisabled !== 'true'`;

/** Waits until the element contains the text, and returns all its text. */
async function waitForText(browser: Browser, selector: string, text: string): Promise<string> {
  const shown = () =>
    browser.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);
  await expect.poll(shown).toContain(text);
  return shown();
}

/** Opens a page as a visitor who has answered the cookie banner. */
async function openAfterChoice(browser: Browser, url: string): Promise<void> {
  await browser.open(url);
  await browser.evaluate(`localStorage.setItem('${CONSENT_KEY}', 'declined')`);
  await browser.open(url);
}

for (const [name, start] of Object.entries(browsers)) {
  test.describe(name, () => {
    test.skip(start === undefined, `${name} is not installed`);
    // All tests share one browser: starting it takes longer than any of them.
    test.describe.configure({ mode: 'default' });
    let browser: Browser;
    let site: string;
    test.beforeAll(async ({ baseURL }) => {
      browser = (await start?.()) as Browser;
      site = baseURL ?? '';
    });
    test.beforeEach(async () => {
      await browser.open(`${site}/404`);
      await browser.evaluate('(localStorage.clear(), sessionStorage.clear())');
    });
    test.afterAll(() => browser?.close());

    /** Fills in the application form with a file, and waits until it can be sent. */
    async function fillApplication(fullName: string, email: string, resume: string): Promise<void> {
      writeFileSync(resume, resumeOf(5_000).buffer);
      await openAfterChoice(browser, `${site}/careers`);
      await browser.click('main [href="#application"]');
      await expect.poll(() => browser.evaluate('document.querySelector("dialog").open')).toBe(true);
      await browser.type('#fullName', fullName);
      await browser.type('dialog [type=email]', email);
      await browser.attach('dialog [type=file]', resume);
      await expect.poll(() => browser.evaluate(IS_HYDRATED)).toBe(true);
      await expect.poll(() => browser.evaluate(IS_COMPLETE)).toBe(true);
    }

    // Firefox would send the new bytes under the old length.
    test('sends an application with its file > the first one has become longer', async ({ mailbox }, testInfo) => {
      const { fullName, email } = newApplication();
      const resume = testInfo.outputPath('resume.pdf');
      await fillApplication(fullName, email, resume);
      appendFileSync(resume, 'another line');
      // WebKit compares the modification time in whole seconds.
      const later = Date.now() / 1_000 + 5;
      utimesSync(resume, later, later);
      await browser.click('dialog [type=submit]');
      await waitForText(browser, 'dialog .notice-error', messages.resumeChanged);
      expect(await browser.evaluate('document.querySelector("dialog [type=file]").files.length')).toBe(0);

      writeFileSync(resume, resumeOf(5_000).buffer);
      await browser.attach('dialog [type=file]', resume);
      await expect.poll(() => browser.evaluate(IS_COMPLETE)).toBe(true);
      await browser.click('dialog [type=submit]');
      const answer = await waitForText(browser, 'dialog, output', applicationWords.sent);
      const mail = await mailbox.waitFor(referenceIn(answer));
      expect(mail.text).toContain(fullName);
      expect(mail.attachments[0]?.content).toHaveLength(5_000);
    });

    test('signs in to the inbox > a proxy sets Referrer-Policy: no-referrer', async () => {
      const proxy = await startProxy(site, { 'referrer-policy': 'no-referrer' });
      await browser.open(`${proxy.origin}/inbox/sign-in`);
      await browser.type('#name', 'sales');
      await browser.type('#password', INBOX_PASSWORD);
      await browser.click('form:has(#password) button');
      await expect.poll(() => browser.evaluate('location.pathname')).toBe('/inbox');
      proxy.close();
    });

    // The sample has the application, whose form has all kinds of fields of the enquiry and a file, and the sign-in.
    if (!isComplete) return;

    test('sends an enquiry, which arrives, and shows error and confirmation', async ({ mailbox }) => {
      const { marker, email, service, message } = newEnquiry();
      const topBelowBar = (selector: string) =>
        browser.evaluate<number>(
          `Math.floor(document.querySelector('${selector}').getBoundingClientRect().top - document.querySelector('header').getBoundingClientRect().bottom)`,
        );
      // Lower than the form.
      await browser.resize(1366, 650);
      await openAfterChoice(browser, `${site}/contact`);
      await browser.type('#email', email);
      await expect.poll(() => browser.evaluate(IS_HYDRATED)).toBe(true);
      await browser.click('form[action="/api/contact"] [type=submit]');
      await expect.poll(() => browser.evaluate('document.activeElement.id')).toBe('name');
      await expect.poll(() => topBelowBar('[for=name]')).toBeGreaterThanOrEqual(0);
      await browser.type('#name', `Ana ${marker}`);
      await browser.type('#service', service);
      await browser.type('#message', message.slice(0, 20));
      await browser.click('form[action="/api/contact"] [type=submit]');
      const reference = referenceIn(await waitForText(browser, '#contact-outcome', 'KW-'));
      await expect.poll(() => topBelowBar('#contact-outcome')).toBeGreaterThanOrEqual(0);
      expect((await mailbox.waitFor(reference)).text).toContain(marker);
    });

    test('opens the mobile menu and follows a link', async () => {
      await browser.resize(480, 800);
      await browser.open(`${site}/about`);
      await browser.click('[popovertarget=site-menu]');
      await browser.click('#site-menu summary');
      await browser.click(`#site-menu [open] a[href="${servicePath}"]`);
      await expect.poll(() => browser.evaluate('location.pathname')).toBe(servicePath);
      const isOpen = 'document.querySelector("#site-menu")?.matches(":popover-open")';
      await expect.poll(() => browser.evaluate(isOpen)).toBe(false);
    });
  });
}
