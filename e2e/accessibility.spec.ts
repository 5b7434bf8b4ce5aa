import { menuGroups } from './support/navigation.ts';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { expectNoFindings, smallTargets, tooWide } from './pages/accessibility.ts';
import { applicationDialog, completeApplication, newApplication, openApplication } from './pages/application-page.ts';
import { resumeOf, submitButton } from './pages/application-page.ts';
import { fillEnquiry, newEnquiry, openEnquiry, sendButton } from './pages/enquiry-page.ts';
import { cookieBanner, mainMenu, notifications, paths, twoFrames, UNKNOWN_PATH } from './pages/site.ts';

const PHONE = { width: 375, height: 812 };
const DESKTOP = { width: 1280, height: 800 };
/** WCAG 2.2, 1.4.10: a page of 1280 px at 400 %, and the same page at 200 %. */
const REFLOW = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
];

for (const path of [...paths, UNKNOWN_PATH]) {
  test(`axe finds nothing on ${path} at any size in either theme.`, async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 404/);
    await page.goto(path);
    await page.setViewportSize(PHONE);
    await expectNoFindings(page, 'phone');
    await page.setViewportSize(DESKTOP);
    await expectNoFindings(page, 'desktop');
    await expectNoFindings(page, 'desktop', 'dark');
    for (const viewport of REFLOW) {
      await page.setViewportSize(viewport);
      await twoFrames(page);
      expect.soft([...(await tooWide(page)), ...(await smallTargets(page))], `${viewport.width} px`).toEqual([]);
    }
  });
}

test.describe('axe finds nothing', () => {
  test('in an open menu. @both', async ({ page }) => {
    const [{ name, services }] = menuGroups;
    await page.goto('/');
    const toggle = page.getByRole('button', { name: 'Menu', exact: true });
    if (await toggle.isVisible()) await toggle.click();
    await mainMenu(page).locator('summary').filter({ hasText: name }).click();
    await expect(page.getByText(services[0].description)).toBeVisible();
    await expectNoFindings(page, 'menu');
    await expectNoFindings(page, 'menu', 'dark');
  });

  test('in the dialog, and in its error. @both', async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 503/, /Submission failed/);
    await page.route('**/api/resume', (route) => route.fulfill({ status: 503, json: { success: false } }));
    await openApplication(page);
    await expectNoFindings(page, 'dialog');
    await completeApplication(page, newApplication(), resumeOf(2_000));
    await submitButton(page).click();
    await expect(applicationDialog(page).getByText(messages.applicationFailed)).toBeVisible();
    await expectNoFindings(page, 'dialog with error');
    await expectNoFindings(page, 'dialog with error', 'dark');
  });

  test.describe('with the cookie banner open', () => {
    test.use({ hasDeclinedCookies: false });

    test('in the invalid form and the toast. @both', async ({ page, expectedConsoleErrors }) => {
      expectedConsoleErrors.push(/status of 503/);
      await page.route('**/api/contact', (route) => route.fulfill({ status: 503, body: 'Please try again.' }));
      await openEnquiry(page);
      await sendButton(page).click();
      await expect(page.getByText(messages.serviceMissing)).toBeVisible();
      await expect(cookieBanner(page)).toBeVisible();
      await expectNoFindings(page, 'invalid form and banner');
      await expectNoFindings(page, 'invalid form and banner', 'dark');
      await fillEnquiry(page, newEnquiry());
      await sendButton(page).click();
      const toast = notifications(page).getByText('503: Please try again.');
      await expect(toast).toBeVisible();
      // Pointed at, a toast stays.
      await toast.hover();
      await expectNoFindings(page, 'toast');
      await expectNoFindings(page, 'toast', 'dark');
      await expect(toast).toBeVisible();
    });
  });
});

test('An enquiry is sent with the keyboard alone.', async ({ page, mailbox }) => {
  const enquiry = newEnquiry();
  await page.goto('/');
  const press = async (key: string, times = 1) => {
    for (let pressed = 0; pressed < times; pressed += 1) await page.keyboard.press(key);
  };
  await press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport();
  await press('Enter');
  await press('Tab');
  await expect(page.getByRole('link', { name: 'Start Your Project' }).first()).toBeFocused();
  await press('Enter');
  await expect(page).toHaveURL('/contact');
  await press('Tab');
  await press('Enter');
  await press('Tab');
  await press('Enter');
  const name = page.getByLabel('Name *');
  for (let pressed = 0; pressed < 8 && !(await name.evaluate((field) => field.matches(':focus'))); pressed += 1) {
    await press('Tab');
    await expect(page.locator(':focus-visible')).toBeInViewport();
  }
  await expect(name).toBeFocused();
  await page.keyboard.insertText(enquiry.name);
  await press('Tab');
  await page.keyboard.type(enquiry.email);
  await press('Tab', 2);
  await page.keyboard.type('Web');
  await expect(page.getByLabel('Service *')).toHaveValue('Web Development');
  await press('Tab');
  await page.keyboard.insertText(enquiry.message);
  await press('Tab');
  await expect(sendButton(page)).toBeFocused();
  await press('Enter');
  await expect(notifications(page).getByText(messages.contactSent)).toBeVisible();
  expect((await mailbox.waitFor(enquiry.marker)).replyTo?.value[0]?.address).toBe(enquiry.email);
});

test('Each question is a heading for assistive technology, though it opens its answer.', async ({ page }) => {
  await page.goto('/contact');
  const client = await page.context().newCDPSession(page);
  const { nodes } = await client.send('Accessibility.getFullAXTree');
  const headings = nodes.filter(({ role }) => role?.value === 'heading').map(({ name }) => String(name?.value));
  const questions = await page.getByRole('main').locator('summary h3').allInnerTexts();
  expect(questions).not.toEqual([]);
  expect(headings).toEqual(expect.arrayContaining(questions));
});
