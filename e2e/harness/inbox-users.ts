import type { Page } from '@playwright/test';
import { words } from '../../form-service/test/words.ts';
import { hashPassword } from '../../form-service/src/sign-in/password.ts';

/** Password of all inbox users. */
export const INBOX_PASSWORD = 'a password of the tests';

/** scrypt cost of the hashes: some milliseconds. */
const LOG2_COST = 10;

/** User of the OpenID provider. */
export const OIDC_USER = 'hana@example.org';

/** User whose sessions a test ends. */
export const LEAVER = 'leaver';

/** Returns `INBOX_USERS` with one user per role, named like the role, and the users above. */
export async function inboxUsers(): Promise<string> {
  const hash = await hashPassword(INBOX_PASSWORD, LOG2_COST);
  const lines = ['sales', 'hr', 'all'].map((role) => `${role}:${role}:${hash}`);
  return [...lines, `${LEAVER}:all:${hash}`, `${OIDC_USER}:hr:oidc`].join(' ');
}

/** Signs in to the inbox with the form, and waits for the list. */
export async function signIn(page: Page, user: string, site = ''): Promise<void> {
  await page.goto(`${site}/inbox/sign-in`);
  await page.getByLabel(words.signIn.name).fill(user);
  await page.getByLabel(words.signIn.password).fill(INBOX_PASSWORD);
  await page.getByRole('button', { name: words.signIn.title, exact: true }).click();
  await page.waitForURL(/\/inbox$/);
}
