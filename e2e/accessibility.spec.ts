import { messages } from '../form-service/src/contract/messages.ts';
import { menuGroups, wording } from './support/content.ts';
import { expect, test } from './harness/test.ts';
import { expectNoFindings } from './pages/accessibility.ts';
import { applicationDialog, fillApplication, newApplication, openApplication } from './pages/application-page.ts';
import { resumeOf, submitButton } from './pages/application-page.ts';
import { fillEnquiry, newEnquiry, openEnquiry, sendButton } from './pages/enquiry-page.ts';
import { cookieBanner, mainMenu, notifications } from './pages/site.ts';
import { applicationWords, enquiryField, enquiryWords, fieldText } from './pages/words.ts';

test.describe('axe', () => {
  test('finds no violation in an open menu @also-phone', async ({ page }) => {
    const [{ name, services }] = menuGroups;
    await page.goto('/');
    const toggle = page.getByRole('button', { name: wording.frame.openMenu, exact: true });
    if (await toggle.isVisible()) await toggle.click();
    await mainMenu(page).locator('summary').filter({ hasText: name }).click();
    await expect(page.getByText(services[0].description)).toBeVisible();
    await expectNoFindings(page, 'menu');
    await expectNoFindings(page, 'menu', 'dark');
  });

  test('finds no violation in the dialog > without and with an error @also-phone', async ({
    page,
    expectedConsoleErrors,
  }) => {
    expectedConsoleErrors.push(/status of 503/, new RegExp(messages.submissionFailed));
    await page.route('**/api/resume', (route) => route.fulfill({ status: 503, json: { success: false } }));
    await openApplication(page);
    await expectNoFindings(page, 'dialog');
    await fillApplication(page, newApplication(), resumeOf(2_000));
    await submitButton(page).click();
    await expect(applicationDialog(page).getByText(applicationWords.failed)).toBeVisible();
    await expectNoFindings(page, 'dialog with error');
    await expectNoFindings(page, 'dialog with error', 'dark');
  });

  test.describe('with the cookie banner open', () => {
    test.use({ hasDeclinedCookies: false });

    test('finds no violation in the invalid form and the toast @also-phone', async ({
      page,
      expectedConsoleErrors,
    }) => {
      expectedConsoleErrors.push(/status of 503/);
      await page.route('**/api/contact', (route) => route.fulfill({ status: 503, body: 'Please try again.' }));
      await openEnquiry(page);
      await sendButton(page).click();
      await expect(page.getByText(fieldText(enquiryWords, 'service', 'missing'))).toBeVisible();
      await expect(cookieBanner(page)).toBeVisible();
      await expectNoFindings(page, 'invalid form and banner');
      await expectNoFindings(page, 'invalid form and banner', 'dark');
      await fillEnquiry(page, newEnquiry());
      await sendButton(page).click();
      const toast = notifications(page).getByText('503: Please try again.');
      await expect(toast).toBeVisible();
      await expectNoFindings(page, 'toast');
      await expectNoFindings(page, 'toast', 'dark');
      await expect(toast).toBeVisible();
    });
  });
});

test('contact form > sends an enquiry > only with the keyboard', async ({ page, mailbox }) => {
  const enquiry = newEnquiry();
  await page.goto('/');
  const press = async (key: string, times = 1) => {
    for (let pressed = 0; pressed < times; pressed += 1) await page.keyboard.press(key);
  };
  await press('Tab');
  await expect(page.getByRole('link', { name: wording.frame.skip })).toBeFocused();
  await expect(page.getByRole('link', { name: wording.frame.skip })).toBeInViewport();
  await press('Enter');
  await press('Tab');
  await expect(page.locator('[data-hero] .button').first()).toBeFocused();
  await press('Enter');
  await expect(page).toHaveURL('/contact');
  await press('Tab');
  await press('Enter');
  await press('Tab');
  await press('Enter');
  const name = enquiryField(page, 'name');
  for (let pressed = 0; pressed < 8 && !(await name.evaluate((field) => field.matches(':focus'))); pressed += 1) {
    await press('Tab');
    await expect(page.locator(':focus-visible')).toBeInViewport();
  }
  await expect(name).toBeFocused();
  await page.keyboard.insertText(enquiry.name);
  await press('Tab');
  await page.keyboard.type(enquiry.email);
  await press('Tab', 2);
  // A space would open the list.
  await page.keyboard.type(enquiry.service.split(' ', 1)[0] ?? '');
  await expect(enquiryField(page, 'service')).toHaveValue(enquiry.service);
  await press('Tab');
  await page.keyboard.insertText(enquiry.message);
  await press('Tab');
  await expect(sendButton(page)).toBeFocused();
  await press('Enter');
  await expect(notifications(page).getByText(enquiryWords.sent)).toBeVisible();
  expect((await mailbox.waitFor(enquiry.marker)).replyTo?.value[0]?.address).toBe(enquiry.email);
});
