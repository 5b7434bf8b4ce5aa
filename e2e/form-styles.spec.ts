import type { Page } from '@playwright/test';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import {
  applicationDialog,
  fillApplication,
  newApplication,
  resumeOf,
  applicationOpener,
  openApplication,
  submitButton,
} from './pages/application-page.ts';
import { fillEnquiry, newEnquiry, openEnquiry, outcome, sendButton } from './pages/enquiry-page.ts';
import { notifications } from './pages/site.ts';
import { applicationField, applicationWords, enquiryWords, fieldText } from './pages/words.ts';

declare global {
  interface Window {
    /** Classes that elements of a form have had. */
    seenClasses: Set<string>;
  }
}

const FORM_PARTS = '[data-island], .Toastify, output';

const watchClasses = (page: Page) =>
  page.addInitScript((parts) => {
    window.seenClasses = new Set();
    const note = (node: Node) => {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element) return;
      for (const { classList, parentElement } of [element, ...element.querySelectorAll('[class]')])
        if (parentElement?.closest(parts)) for (const name of classList) window.seenClasses.add(name);
    };
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) for (const node of [target, ...addedNodes]) note(node);
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
  }, FORM_PARTS);

/** Returns form classes without a rule in the style sheets. Classes of the toast library need none. */
const unstyled = (page: Page) =>
  page.evaluate(() => {
    const textOf = (rules: CSSRuleList): string =>
      [...rules]
        .map((rule) => ('cssRules' in rule ? textOf(rule.cssRules as CSSRuleList) : '') + rule.cssText)
        .join('');
    const sheets = [...document.styleSheets].map(({ cssRules }) => textOf(cssRules)).join('');
    const isStyled = (name: string) =>
      sheets.split(`.${CSS.escape(name)}`).some((after, index) => index > 0 && !/^[\w-]/.test(after));
    return [...window.seenClasses].filter((name) => !name.startsWith('Toastify') && !isStyled(name));
  });

test('contact form > has a rule for every class > in every state', async ({ page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push(/status of 503/);
  await watchClasses(page);
  await openEnquiry(page);
  await sendButton(page).click();
  await expect(page.getByText(fieldText(enquiryWords, 'name', 'missing'))).toBeVisible();
  await fillEnquiry(page, { ...newEnquiry(), message: 'x'.repeat(9_500) });
  await expect(page.locator('#message-left')).toBeVisible();
  await page.route(
    '**/api/contact',
    (route) => route.fulfill({ status: 503, json: { success: false, message: 'No.' } }),
    {
      times: 1,
    },
  );
  await sendButton(page).click();
  await expect(notifications(page)).toContainText(enquiryWords.failed);
  await sendButton(page).click();
  await expect(outcome(page)).toContainText('KW-');
  await expect(notifications(page)).toContainText(enquiryWords.sent);
  expect(await page.evaluate(() => window.seenClasses.size)).toBeGreaterThan(20);
  expect(await unstyled(page)).toEqual([]);
});

test('application form > has a rule for every class > in every state', async ({ page, expectedConsoleErrors }) => {
  expectedConsoleErrors.push(new RegExp(`status of 503|${messages.submissionFailed}`));
  await watchClasses(page);
  await openApplication(page);
  await fillApplication(
    page,
    { ...newApplication(), email: 'nobody', coverLetter: 'x'.repeat(9_500) },
    resumeOf(500_000),
  );
  await submitButton(page).click();
  await expect(page.getByText(messages.invalidEmail, { exact: true })).toBeVisible();
  await applicationField(page, 'email').fill('ana@example.org');
  await page.route(
    '**/api/resume',
    (route) => route.fulfill({ status: 503, json: { success: false, message: 'No.' } }),
    {
      times: 1,
    },
  );
  await submitButton(page).click();
  await expect(applicationDialog(page).getByText(applicationWords.failed)).toBeVisible();
  const client = await page.context().newCDPSession(page);
  const line = { offline: false, latency: 0, downloadThroughput: -1 };
  await client.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: 10_000 });
  await submitButton(page).click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText(applicationWords.notSent ?? '-')).toBeVisible();
  await client.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: -1 });
  await applicationOpener(page).click();
  await submitButton(page).click();
  await expect(page.getByText(applicationWords.sentDetail)).toBeVisible();
  await expect(applicationDialog(page)).toBeHidden();
  await expect(page.locator('output')).toContainText('KW-');
  expect(await page.evaluate(() => window.seenClasses.size)).toBeGreaterThan(20);
  expect(await unstyled(page)).toEqual([]);
});
