import type { Locator, Page } from '@playwright/test';
import { footerGroups, menuGroups } from './support/navigation.ts';
import { expect, test } from './harness/test.ts';
import { hasDeclinedCookies, isScrollLocked, jumpTo, scrollTop } from './support/visitor.ts';

const bar = (page: Page) => page.getByRole('banner');
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });
/** A dropdown of the top bar by its name; `<summary>` has no role to ask for. */
const dropdown = (page: Page, name: string) =>
  menu(page)
    .locator('details')
    .filter({ has: page.locator('summary', { hasText: name }) });
const summary = (page: Page, name: string) => dropdown(page, name).locator('summary');
const style = (locator: Locator, property: string) =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

test.describe('the top bar', () => {
  test.beforeEach(({ page }) => hasDeclinedCookies(page));

  test('gains a border and a shadow above 10 px', async ({ page }) => {
    await page.goto('/about');
    await jumpTo(page, 10);
    expect(await style(bar(page), 'box-shadow')).toBe('none');
    expect(await style(bar(page), 'border-bottom-color')).toBe('rgba(0, 0, 0, 0)');
    await jumpTo(page, 11);
    await expect.poll(() => style(bar(page), 'box-shadow')).not.toBe('none');
    await expect.poll(() => style(bar(page), 'border-bottom-color')).not.toBe('rgba(0, 0, 0, 0)');
    await expect(bar(page)).toBeInViewport();
    await jumpTo(page, 0);
    await expect.poll(() => style(bar(page), 'box-shadow')).toBe('none');
  });

  test('highlights the link of the current page @desktop', async ({ page }) => {
    const links = { '/about': 'About Us', '/careers': 'Careers', '/contact': 'Contact Us' } as const;
    for (const [path, label] of Object.entries(links)) {
      await page.goto(path);
      await expect(menu(page).locator('[aria-current=page]')).toHaveText([label]);
    }
    await page.goto('/');
    await expect(menu(page).locator('[aria-current=page]')).toHaveCount(0);
  });

  test('highlights the dropdown that holds the current page @desktop', async ({ page }) => {
    const highlighted = async () => {
      const names: string[] = [];
      for (const { name } of menuGroups)
        if ((await style(summary(page, name), 'box-shadow')) !== 'none') names.push(name);
      return names;
    };
    for (const { name, services } of menuGroups) {
      for (const { href, name: service } of services) {
        await page.goto(href);
        expect(await highlighted(), href).toEqual([name]);
        await expect(dropdown(page, name).locator('[aria-current=page]')).toContainText(service);
      }
    }
    await page.goto('/services');
    expect(await highlighted()).toEqual([]);
  });
});

test.describe('the dropdowns', () => {
  test.beforeEach(({ page }) => hasDeclinedCookies(page));

  test('list their services, and only one is open @desktop', async ({ page }) => {
    await page.goto('/');
    for (const { name, description, services } of menuGroups) {
      await summary(page, name).click();
      const panel = dropdown(page, name);
      await expect(panel.getByText(description)).toBeVisible();
      await expect(panel.locator('p').filter({ hasText: new RegExp(`^${name}$`) })).toBeVisible();
      const items = panel.getByRole('link');
      await expect(items).toHaveCount(services.length);
      for (const [index, service] of services.entries()) {
        const item = items.nth(index);
        await expect(item).toContainText(service.name);
        await expect(item).toContainText(service.description);
        await expect(item).toHaveAttribute('href', service.href);
        await expect(item.locator('svg')).toBeVisible();
      }
      await expect(menu(page).locator('details[open]')).toHaveCount(1);
    }
    await page.getByRole('heading', { level: 1 }).click();
    await expect(menu(page).locator('details[open]')).toHaveCount(0);
  });

  test('work with the keyboard @desktop', async ({ page }) => {
    await page.goto('/');
    const [first, second] = menuGroups;
    await summary(page, first.name).focus();
    await page.keyboard.press('Enter');
    await expect(dropdown(page, first.name).getByRole('link').first()).toBeVisible();
    await page.keyboard.press('Space');
    await expect(dropdown(page, first.name).getByRole('link')).toHaveCount(0);
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await expect(dropdown(page, first.name).getByRole('link').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu(page).locator('details[open]')).toHaveCount(0);
    await expect(summary(page, first.name)).toBeFocused();

    await page.keyboard.press('Enter');
    for (let pressed = 0; pressed <= first.services.length; pressed += 1) await page.keyboard.press('Tab');
    await expect(summary(page, second.name)).toBeFocused();
    await expect(menu(page).locator('details[open]')).toHaveCount(0);
  });

  test('close when a link in them is followed @desktop', async ({ page }) => {
    await page.goto('/');
    const [group] = menuGroups;
    await summary(page, group.name).click();
    await dropdown(page, group.name).getByRole('link', { name: 'Web Development' }).click();
    await expect(page).toHaveURL('/services/web-development');
    await expect(menu(page).locator('details[open]')).toHaveCount(0);
  });
});

test.describe('the menu of small screens @phone', () => {
  test.beforeEach(({ page }) => hasDeclinedCookies(page));

  const open = async (page: Page) => {
    await page.getByRole('button', { name: 'Menu', exact: true }).tap();
    await expect(menu(page)).toBeVisible();
  };

  test('opens the full list, and locks the page behind it', async ({ page }) => {
    await page.goto('/');
    await expect(menu(page)).toBeHidden();
    expect(await isScrollLocked(page)).toBe(false);
    await open(page);
    expect(await isScrollLocked(page)).toBe(true);
    for (const label of ['About Us', 'Careers', 'Contact Us'])
      await expect(menu(page).getByRole('link', { name: label })).toBeVisible();
    for (const { name, services } of menuGroups) {
      await summary(page, name).tap();
      for (const service of services) await expect(menu(page).getByRole('link', { name: service.name })).toBeVisible();
    }
    await page.getByRole('button', { name: 'Close menu' }).tap();
    await expect(menu(page)).toBeHidden();
    expect(await isScrollLocked(page)).toBe(false);
  });

  test('closes with Escape, a group first', async ({ page }) => {
    await page.goto('/');
    await open(page);
    await summary(page, menuGroups[0].name).tap();
    await page.keyboard.press('Escape');
    await expect(menu(page).locator('details[open]')).toHaveCount(0);
    await expect(menu(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu(page)).toBeHidden();
  });

  test('closes when any of its links is tapped', async ({ page }) => {
    await page.goto('/');
    const visit = async (link: Locator, path: string) => {
      await link.tap();
      await expect(page).toHaveURL(path);
      await expect(menu(page)).toBeHidden();
      expect(await isScrollLocked(page)).toBe(false);
    };
    for (const [label, path] of [
      ['About Us', '/about'],
      ['Careers', '/careers'],
      ['Contact Us', '/contact'],
    ] as const) {
      await open(page);
      await visit(menu(page).getByRole('link', { name: label }), path);
    }
    for (const { name, services } of menuGroups) {
      await open(page);
      await summary(page, name).tap();
      await visit(menu(page).getByRole('link', { name: services[0].name }), services[0].href);
    }
    // The page that is shown already.
    await open(page);
    await summary(page, 'Resource Solutions').tap();
    await visit(menu(page).getByRole('link', { name: 'Staff Augmentation' }), '/services/staff-augmentation');
  });
});

test('the footer lists the services, the company and where else to find it @desktop', async ({ page }) => {
  await page.goto('/terms');
  const footer = page.getByRole('contentinfo');
  for (const { title, links } of footerGroups) {
    const items = footer.getByRole('navigation', { name: title }).getByRole('link');
    await expect(items).toHaveText(links.map(({ label }) => label));
    for (const [index, { href }] of links.entries()) await expect(items.nth(index)).toHaveAttribute('href', href);
  }
  for (const name of ['LinkedIn', 'X', 'Facebook']) {
    await expect(footer.getByRole('link', { name: `Kitewright on ${name}`, exact: true })).toHaveAttribute(
      'href',
      /^https:/,
    );
  }
  await expect(footer.getByRole('link', { name: 'Kitewright, home' })).toHaveAttribute('href', '/');
  await expect(footer.getByText(/^© 2025/)).toBeVisible();
});

test.describe('the back-to-top button', () => {
  test('appears above one viewport height, and scrolls to the top', async ({ page }) => {
    await hasDeclinedCookies(page);
    await page.goto('/services/web-development');
    const button = page.getByRole('button', { name: 'Back to top' });
    const height = await page.evaluate(() => innerHeight);
    await jumpTo(page, height - 1);
    await expect(button).toBeHidden();
    await jumpTo(page, height + 2);
    await expect(button).toBeVisible();
    await jumpTo(page, 3 * height);
    await button.click();
    await expect.poll(() => scrollTop(page)).toBe(0);
    await expect(button).toBeHidden();
  });

  test('is there on a page that was reloaded in its middle, and so is the bar’s shadow', async ({ page }) => {
    await hasDeclinedCookies(page);
    await page.goto('/services/web-development');
    await jumpTo(page, 3 * (await page.evaluate(() => innerHeight)));
    await page.reload();
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(0);
    await expect(page.getByRole('button', { name: 'Back to top' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-scrolled');
  });

  test('scrolls smoothly, or at once for a visitor who does not like motion @desktop', async ({ page }) => {
    await page.goto('/services/web-development');
    const behaviour = () => style(page.locator('html'), 'scroll-behavior');
    expect(await behaviour()).toBe('smooth');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await behaviour()).toBe('auto');
  });
});

test.describe('with JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  test('every dropdown opens and closes @desktop', async ({ page }) => {
    await page.goto('/about');
    for (const { name, services } of menuGroups) {
      await summary(page, name).click();
      for (const service of services)
        await expect(dropdown(page, name).getByRole('link', { name: service.name })).toBeVisible();
      await expect(menu(page).locator('details[open]')).toHaveCount(1);
      await summary(page, name).click();
      await expect(menu(page).locator('details[open]')).toHaveCount(0);
    }
  });

  test('the menu of small screens opens, leads on and closes @phone', async ({ page }) => {
    await page.goto('/about');
    const toggle = page.getByRole('button', { name: 'Menu', exact: true });
    await toggle.tap();
    await page.getByRole('button', { name: 'Close menu' }).tap();
    await expect(menu(page)).toBeHidden();
    await toggle.tap();
    await summary(page, menuGroups[1].name).tap();
    await menu(page).getByRole('link', { name: 'Dynamics CRM' }).tap();
    await expect(page).toHaveURL('/services/dynamics-crm');
    await expect(menu(page)).toBeHidden();
  });

  test('nothing shows that would need a script', async ({ page }) => {
    await page.goto('/about');
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await expect(page.getByRole('contentinfo')).toBeInViewport();
    await expect(page.getByRole('region', { name: 'Cookie consent' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Back to top' })).toBeHidden();
  });
});
