import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { SERVICE } from '../../form-service/test/services.ts';
import { hydrate, referenceIn } from './site.ts';
import { enquiryField, enquiryWords } from './words.ts';

/** Creates an enquiry with a unique `marker` in the name, and so in the subject of the mail. */
export function newEnquiry() {
  const marker = randomUUID().slice(0, 8);
  return {
    marker,
    name: `Ana ${marker} "Kite" <O\u2019Neill> مرحبا`,
    email: 'ana@example.org',
    phone: '+44 1632 960001',
    service: SERVICE,
    message: 'We need a <b>new</b> shop & more 🪁.\n\nשלום "soon"?',
  };
}

export const sendButton = (page: Page): Locator => page.getByRole('button', { name: enquiryWords.submit });

/** Status next to the button, which stays after the toast has gone. */
export const outcome = (page: Page): Locator => page.locator('#contact-outcome');

/** Opens the page and hydrates its form. */
export async function openEnquiry(page: Page): Promise<void> {
  await page.goto('/contact');
  await hydrate(page);
}

/** Fills the given fields of the contact form. */
export async function fillEnquiry(page: Page, values: Partial<ReturnType<typeof newEnquiry>>): Promise<void> {
  if (values.name !== undefined) await enquiryField(page, 'name').fill(values.name);
  if (values.email !== undefined) await enquiryField(page, 'email').fill(values.email);
  if (values.phone !== undefined) await enquiryField(page, 'phone').fill(values.phone);
  if (values.service !== undefined) await enquiryField(page, 'service').selectOption(values.service);
  if (values.message !== undefined) await enquiryField(page, 'message').fill(values.message);
}

/** Sends the filled form and returns the reference that the page shows. */
export async function sendEnquiry(page: Page): Promise<string> {
  const answered = page.waitForResponse('**/api/contact');
  await sendButton(page).click();
  expect((await answered).status()).toBe(202);
  await expect(outcome(page)).toContainText('KW-');
  return referenceIn(await outcome(page).innerText());
}
