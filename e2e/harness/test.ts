import { randomBytes } from 'node:crypto';
import { test as base, expect } from '@playwright/test';
import { consent } from '../support/content.ts';
import { Mailbox } from './mailbox.ts';

interface Fixtures {
  readonly mailbox: Mailbox;
  /** Whether the visitor has declined cookies on an earlier visit. */
  readonly hasDeclinedCookies: boolean;
  /** Console errors that a test expects. Any other one fails it. */
  readonly expectedConsoleErrors: RegExp[];
  readonly watchPage: void;
}

/** Message of Chromium about a skipped view transition, which is not an error. */
const SKIPPED_TRANSITION = /Transition was aborted because of invalid state|Transition was skipped/;

export const CONSENT_KEY = consent.key;

/** A test with the shared stack: opens its pages, reads its mailbox, and fails on console errors. */
export const test = base.extend<Fixtures>({
  baseURL: async ({}, use) => use(required('E2E_SITE_URL')),
  mailbox: async ({}, use) => use(new Mailbox(required('E2E_MAIL_URL'))),
  hasDeclinedCookies: [true, { option: true }],
  expectedConsoleErrors: async ({}, use) => use([]),
  watchPage: [
    async ({ page, hasDeclinedCookies, expectedConsoleErrors }, use) => {
      // The end of its time bar closes a toast: on a busy machine before the test looks at it.
      await page.addInitScript(() => {
        const hold = (event: AnimationEvent) => event.animationName === 'progress' && event.stopPropagation();
        addEventListener('animationend', hold, true);
      });
      if (hasDeclinedCookies) await page.addInitScript((key) => localStorage.setItem(key, 'declined'), CONSENT_KEY);
      const errors: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) errors.push(`${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => errors.push(String(error)));
      await use();
      const known = [SKIPPED_TRANSITION, ...expectedConsoleErrors];
      expect(errors.filter((text) => !known.some((pattern) => pattern.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

/** A test with a client address of its own, because nginx limits the sign-ins of each one. */
export const inboxTest = test.extend({
  extraHTTPHeaders: async ({}, use) => use({ 'X-Forwarded-For': `10.${randomBytes(3).join('.')}` }),
});

export { expect };

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing. The global setup sets it.`);
  return value;
}
