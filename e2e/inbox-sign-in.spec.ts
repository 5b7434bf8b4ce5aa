import type { Page } from '@playwright/test';
import { words } from '../form-service/test/words.ts';
import { LEAVER, OIDC_USER, signIn } from './harness/inbox-users.ts';
import { views } from './harness/matrix.ts';
import { expect, inboxTest as test } from './harness/test.ts';
import { expectNoFindings, smallTargets, tooWide } from './pages/accessibility.ts';
import { newApplication, resumeOf } from './pages/application-page.ts';

const withProvider = new RegExp(`^${words.signIn.with({ provider: '.+' })}$`);

/** Presses the button of single sign-on, and signs in with the form of the provider. */
async function signInAtProvider(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: withProvider }).click();
  await page.getByPlaceholder('Enter any login').fill(account);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

test.describe('Single sign-on', () => {
  // The provider's page asks for a font and an icon that are not there; a refused sign-in is a 403.
  test.beforeEach(({ expectedConsoleErrors }) => {
    expectedConsoleErrors.push(/fonts\.googleapis\.com|favicon\.ico/, /status of 403 .*\/inbox\/sign-in\/callback/);
  });

  test('leads to the page of the link, with the role of the user', async ({ page, request }) => {
    const multipart = { fullName: 'Ada', email: newApplication().email, resume: resumeOf(2_000) };
    const answer = await request.post('/api/resume', { multipart, headers: { Accept: 'application/json' } });
    const { reference } = (await answer.json()) as { reference: string };
    await page.goto(`/inbox/${reference}`);
    await signInAtProvider(page, OIDC_USER);
    await expect(page).toHaveURL(new RegExp(`/inbox/${reference}$`));
    await expect(page.getByRole('banner')).toContainText(OIDC_USER);
    await page.getByRole('button', { name: words.inbox.frame.signOut, exact: true }).click();
    const open = new RegExp(words.signIn.signedOut({ provider: '.+' }));
    await expect(page.getByRole('status')).toHaveText(open);
  });
});

test('sign-out > hides the inbox after Back and in other tabs @also-phone', async ({ page, context }) => {
  await signIn(page, LEAVER);
  const other = await context.newPage();
  await other.goto('/inbox?q=x');
  await page.getByRole('button', { name: words.inbox.frame.signOut, exact: true }).click();
  await expect(page).toHaveURL(/\/inbox\/sign-in\?left=yes$/);
  await page.goBack();
  await expect(page).toHaveTitle(new RegExp(`^${words.signIn.title} \\|`));
  await other.reload();
  await expect(other).toHaveURL(/\/inbox\/sign-in\?to=/);
});

test('sign-in > passes axe > at every size, in both themes', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '', bypassCSP: true });
  const page = await context.newPage();
  for (const path of ['', '?to=%2Finbox&ended=yes', '/callback?state=x']) {
    await page.goto(`/inbox/sign-in${path}`);
    for (const [width, theme] of views) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoFindings(page, `${path} ${width}`, theme);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect.soft([...(await tooWide(page)), ...(await smallTargets(page))], path).toEqual([]);
  }
  await context.close();
});
