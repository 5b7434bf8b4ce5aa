import { test as base, expect } from '@playwright/test';
import { Mailbox } from './mailbox.ts';

interface Fixtures {
  readonly mailbox: Mailbox;
  /** Console errors that a test brings about on purpose; any other one fails it. */
  readonly expectedConsoleErrors: RegExp[];
  readonly failOnConsoleErrors: void;
}

/** A test against the running stack: pages of the site, the mailbox behind it, and no error in the console. */
export const test = base.extend<Fixtures>({
  baseURL: async ({}, use) => {
    await use(required('E2E_SITE_URL'));
  },
  mailbox: async ({}, use) => {
    await use(new Mailbox(required('E2E_MAIL_URL')));
  },
  expectedConsoleErrors: async ({}, use) => {
    await use([]);
  },
  failOnConsoleErrors: [
    async ({ page, expectedConsoleErrors }, use) => {
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') errors.push(`${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => errors.push(String(error)));
      await use();
      expect(errors.filter((text) => !expectedConsoleErrors.some((expected) => expected.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is set by the global setup`);
  return value;
}
