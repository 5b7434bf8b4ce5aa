import type { Page } from '@playwright/test';
import { menuGroups } from '../frontend/src/content/navigation.ts';
import { messages } from '../form-service/src/contract/messages.ts';
import { expect, test } from './harness/test.ts';
import { axeFindings } from './support/axe.ts';
import { contrast, luminance, type Rgb } from './support/contrast.ts';
import { newEnquiry, fillEnquiry } from './support/enquiry-form.ts';
import { paths, UNKNOWN_PATH } from './support/paths.ts';
import { hasDeclinedCookies, hydrate, twoFrames } from './support/visitor.ts';

/** Least width and height of what is pressed, in CSS pixels (WCAG 2.2, 2.5.8). */
const TARGET_PX = 24;

/** Of the ring round what has the focus, against the ground it stands on (WCAG 2.2, 1.4.11). */
const RING_CONTRAST = 3;

const PHONE = { width: 375, height: 812 };
const DESKTOP = { width: 1280, height: 800 };
/** WCAG 2.2, 1.4.10: a page of 1280 px at 400 %, and the same page at 200 %. */
const REFLOW = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
];

test.describe('every page @desktop', () => {
  for (const path of [...paths, UNKNOWN_PATH]) {
    test(`${path} has no finding at any size in either theme`, async ({ page, expectedConsoleErrors }) => {
      test.slow();
      expectedConsoleErrors.push(/status of 404/);
      await hasDeclinedCookies(page);
      await page.goto(path);
      for (const viewport of [PHONE, DESKTOP]) {
        await page.setViewportSize(viewport);
        expect.soft(await smallTargets(page), `targets at ${viewport.width}`).toEqual([]);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await twoFrames(page);
          expect.soft(await axeFindings(page, colorScheme), `${viewport.width} ${colorScheme}`).toEqual([]);
        }
      }
      for (const viewport of REFLOW) {
        await page.setViewportSize(viewport);
        await twoFrames(page);
        expect.soft(await tooWide(page), `wider than ${viewport.width}`).toEqual([]);
        expect.soft(await smallTargets(page), `targets at ${viewport.width}`).toEqual([]);
      }
    });
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`focus is seen on everything that takes it, ${colorScheme} @desktop`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme });
    await hasDeclinedCookies(page);
    // Between them: both forms, all menus, the cards, a picture and a drawing, the night ground and the footer.
    for (const path of ['/', '/contact', '/careers', '/services/agentic-ai']) {
      await page.goto(path);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.removeAttribute('name');
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      const unseen: string[] = [];
      let stops = 0;
      for (let focus = await tab(page); focus !== undefined && stops < 200; focus = await tab(page)) {
        stops += 1;
        const [ring, ground] = [luminance(focus.ring), luminance(focus.ground)];
        if (focus.width < 2 || contrast(ring, ground) < RING_CONTRAST)
          unseen.push(`${focus.what}: ${focus.width} px, ${contrast(ring, ground).toFixed(2)}`);
      }
      expect.soft(stops, path).toBeGreaterThan(20);
      expect.soft(unseen, path).toEqual([]);
    }
  });
}

/** In each theme, at the test's own size. */
async function expectNoFindings(page: Page, state: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await twoFrames(page);
    expect.soft(await axeFindings(page, colorScheme), `${state}, ${colorScheme}`).toEqual([]);
    expect.soft(await smallTargets(page), state).toEqual([]);
  }
}

test.describe('what opens has no finding', () => {
  test('a menu', async ({ page }) => {
    await hasDeclinedCookies(page);
    await page.goto('/');
    const toggle = page.getByRole('button', { name: 'Menu', exact: true });
    if (await toggle.isVisible()) await toggle.click();
    await page
      .getByRole('navigation', { name: 'Main' })
      .locator('summary')
      .filter({ hasText: menuGroups[0].name })
      .click();
    await expect(page.getByText(menuGroups[0].services[0].description)).toBeVisible();
    await expectNoFindings(page, 'menu');
  });

  test('the dialog, with its error', async ({ page, expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/status of 503/, /was not accepted/);
    await hasDeclinedCookies(page);
    await page.route('**/api/resume', (route) => route.fulfill({ status: 503, json: { success: false } }));
    await page.goto('/careers');
    await hydrate(page);
    await page.getByRole('button', { name: 'Submit Resume' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await expectNoFindings(page, 'dialog');
    await dialog.getByLabel('Full Name *').fill('Ana');
    await dialog.getByLabel('Email Address *').fill('ana@example.org');
    await dialog
      .getByLabel('Resume/CV *')
      .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
    await dialog.getByRole('button', { name: 'Submit Application' }).click();
    await expect(dialog.getByText(messages.applicationFailed)).toBeVisible();
    await expectNoFindings(page, 'dialog with error');
  });

  test('the invalid form, the toast and the cookie banner', async ({ page, expectedConsoleErrors }) => {
    test.slow();
    expectedConsoleErrors.push(/status of 503/);
    await page.route('**/api/contact', (route) => route.fulfill({ status: 503, body: 'Please try again.' }));
    await page.goto('/contact');
    await hydrate(page);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByText(messages.serviceMissing)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Cookie consent' })).toBeVisible();
    await expectNoFindings(page, 'invalid form and banner');
    await fillEnquiry(page, newEnquiry());
    await page.getByRole('button', { name: 'Send Message' }).click();
    const toast = page.getByRole('region', { name: 'Notifications' }).getByText('503: Please try again.');
    await expect(toast).toBeVisible();
    // Pointed at, a toast stays.
    await toast.hover();
    await expectNoFindings(page, 'toast');
    await expect(toast).toBeVisible();
  });
});

test('an enquiry is sent with the keyboard alone @desktop', async ({ page, mailbox }) => {
  await hasDeclinedCookies(page);
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
  await expect(page.getByRole('link', { name: 'Start Your Project' })).toBeFocused();
  await press('Enter');
  await expect(page).toHaveURL('/contact');
  await press('Tab');
  await press('Enter');
  await press('Tab');
  await expect(page.getByRole('link', { name: 'Start Your Project' })).toBeFocused();
  await press('Enter');
  const name = page.getByLabel('Name *');
  for (
    let pressed = 0;
    pressed < 8 && !(await name.evaluate((field) => field === document.activeElement));
    pressed += 1
  ) {
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
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText(messages.contactSent)).toBeVisible();
  const mail = await mailbox.waitFor(enquiry.marker);
  expect(mail.replyTo?.value[0]?.address).toBe(enquiry.email);
});

/** What is pressed and too small; a link in a running text may be as high as its line (WCAG 2.2, 2.5.8, "Inline"). */
function smallTargets(page: Page): Promise<string[]> {
  return page.locator('a[href], button, summary, input, select, textarea').evaluateAll(
    (targets, least) =>
      targets
        .filter(
          (target) =>
            target.checkVisibility({ visibilityProperty: true }) && getComputedStyle(target).display !== 'inline',
        )
        .filter((target) => !target.classList.contains('skip-link'))
        .map((target) => ({ target, box: target.getBoundingClientRect() }))
        .filter(({ box }) => box.width < least || box.height < least)
        .map(
          ({ target, box }) =>
            `${target.tagName} "${target.textContent.trim()}" ${Math.round(box.width)} x ${Math.round(box.height)}`,
        ),
    TARGET_PX,
  );
}

/** What makes the page wider than its window: nothing, when it cannot be scrolled sideways. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isWide = (element: Element) => element.getBoundingClientRect().right > width + 1 && element.checkVisibility();
    const isClipped = (element: Element): boolean => {
      for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
        if (getComputedStyle(parent).overflowX !== 'visible') return true;
      }
      return false;
    };
    return [...document.body.querySelectorAll('*')]
      .filter((element) => isWide(element) && !isClipped(element) && !element.closest('.Toastify, .sr-only, svg'))
      .map((element) => `${element.tagName}.${element.getAttribute('class')}`);
  });
}

interface Focus {
  readonly what: string;
  readonly ring: Rgb;
  readonly ground: Rgb;
  /** Of the ring, in CSS pixels; 0 when there is none. */
  readonly width: number;
}

/** Moves the focus on. What has it then, and how that is shown; undefined when the focus has left the page. */
async function tab(page: Page): Promise<Focus | undefined> {
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return undefined;
    // A card is outlined as a whole, a file is chosen in the frame drawn round its field.
    const rings = [
      getComputedStyle(element),
      getComputedStyle(element, '::after'),
      getComputedStyle(element.parentElement ?? element),
    ];
    const ring = rings.find(({ outlineStyle }) => outlineStyle !== 'none');
    // The browser itself turns any colour into channels.
    const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const rgb = (colour: string) => {
      if (!pen) throw new Error('no canvas');
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = pen.getImageData(0, 0, 1, 1).data;
      return [r, g, b] as const;
    };
    let ground = element.parentElement;
    while (ground?.parentElement && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
      ground = ground.parentElement;
    return {
      what: `${element.tagName} "${element.textContent?.trim().slice(0, 30)}"`,
      ring: rgb(ring?.outlineColor ?? '#000'),
      ground: rgb(ground ? getComputedStyle(ground).backgroundColor : '#fff'),
      width: ring ? Number.parseFloat(ring.outlineWidth) : 0,
    };
  });
}
