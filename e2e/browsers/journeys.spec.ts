import { writeFileSync } from 'node:fs';
import { messages } from '../../form-service/src/contract/messages.ts';
import { findProgram } from '../../scripts/stack/programs.ts';
import { CONSENT_KEY, expect, test } from '../harness/test.ts';
import { newApplication, resumeOf } from '../pages/application-page.ts';
import { newEnquiry } from '../pages/enquiry-page.ts';
import { referenceIn } from '../pages/site.ts';
import type { Browser } from './browser.ts';
import { startFirefox } from './firefox.ts';
import { startWebKit } from './webkit.ts';

const firefox = findProgram('firefox-esr');
const webKit = findProgram('WebKitWebDriver');
const screen = findProgram('Xvfb');

const browsers = {
  Firefox: firefox === undefined ? undefined : () => startFirefox(firefox),
  WebKit: webKit === undefined || screen === undefined ? undefined : () => startWebKit(webKit, screen),
};

/** Whether React has taken over the application, which it does at the first touch, while the fields are filled. */
const HAS_REACT = `Object.keys(document.querySelector('[data-island] form') ?? {}).some((key) => key.startsWith('__react'))`;

/** Whether React has seen all that was typed: until then the button says what is missing, and sends nothing. */
const IS_COMPLETE = `document.querySelector('dialog [type=submit]').ariaDisabled !== 'true'`;

/** What the page says there, once it says anything like it. */
async function waitForText(browser: Browser, selector: string, text: string): Promise<string> {
  const shown = () =>
    browser.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);
  await expect.poll(shown).toContain(text);
  return shown();
}

/** Opens a page as a visitor does who has answered the cookie banner. */
async function openAfterChoice(browser: Browser, url: string): Promise<void> {
  await browser.open(url);
  await browser.evaluate(`localStorage.setItem('${CONSENT_KEY}', 'declined')`);
  await browser.open(url);
}

for (const [name, start] of Object.entries(browsers)) {
  test.describe(name, () => {
    test.skip(start === undefined, `${name} is not installed`);
    // One browser for all of them, which takes longer to start than any of them takes.
    test.describe.configure({ mode: 'default' });
    let browser: Browser;
    test.beforeAll(async ({ baseURL }) => {
      browser = (await start?.()) as Browser;
      await browser?.open(`${baseURL}/404`);
    });
    test.beforeEach(() => browser.evaluate('localStorage.clear()'));
    test.afterAll(() => browser?.close());

    test('sends an enquiry, which arrives.', async ({ baseURL, mailbox }) => {
      const { marker, email, message } = newEnquiry();
      await openAfterChoice(browser, `${baseURL}/contact`);
      await browser.type('#name', `Ana ${marker}`);
      await browser.type('#email', email);
      await browser.type('#service', 'Web Development');
      await browser.type('#message', message.slice(0, 20));
      await browser.click('form[action="/api/contact"] [type=submit]');
      const reference = referenceIn(await waitForText(browser, '#contact-outcome', 'KW-'));
      expect((await mailbox.waitFor(reference)).text).toContain(marker);
    });

    test('sends an application with its file, which arrives.', async ({ baseURL, mailbox }, testInfo) => {
      const { fullName, email } = newApplication();
      const resume = testInfo.outputPath('resume.pdf');
      writeFileSync(resume, resumeOf(5_000).buffer);
      await openAfterChoice(browser, `${baseURL}/careers`);
      await browser.click('main [href="#application"]');
      await expect.poll(() => browser.evaluate('document.querySelector("dialog").open')).toBe(true);
      await browser.type('#fullName', fullName);
      await browser.type('dialog [type=email]', email);
      await browser.attach('dialog [type=file]', resume);
      await expect.poll(() => browser.evaluate(HAS_REACT)).toBe(true);
      await expect.poll(() => browser.evaluate(IS_COMPLETE)).toBe(true);
      await browser.click('dialog [type=submit]');
      const answer = await waitForText(browser, 'dialog, output', messages.applicationSent);
      const mail = await mailbox.waitFor(referenceIn(answer));
      expect(mail.text).toContain(fullName);
      expect(mail.attachments).toHaveLength(1);
    });

    test('opens the menu of a small screen, and follows a link in it.', async ({ baseURL }) => {
      await browser.resize(480, 800);
      await browser.open(`${baseURL}/about`);
      await browser.click('[popovertarget=site-menu]');
      await browser.click('#site-menu summary');
      await browser.click('#site-menu [open] a[href="/services/web-development"]');
      await expect.poll(() => browser.evaluate('location.pathname')).toBe('/services/web-development');
      const isOpen = 'document.querySelector("#site-menu")?.matches(":popover-open")';
      await expect.poll(() => browser.evaluate(isOpen)).toBe(false);
    });
  });
}
