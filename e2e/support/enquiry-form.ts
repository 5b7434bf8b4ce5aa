import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';

export interface Enquiry {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly service: string;
  readonly message: string;
}

/** An enquiry that no other test sends: its `marker` is part of the name, and so of the mail's subject. */
export function newEnquiry(): Enquiry & { readonly marker: string } {
  const marker = randomUUID().slice(0, 8);
  return {
    marker,
    name: `Ana ${marker} "Kite" <O\u2019Neill> مرحبا`,
    email: 'ana@example.org',
    phone: '+44 1632 960001',
    service: 'Web Development',
    message: 'We need a <b>new</b> shop & more 🪁.\n\nשלום "soon"?',
  };
}

/** Types the given values into the contact form. */
export async function fillEnquiry(page: Page, values: Partial<Enquiry>): Promise<void> {
  if (values.name !== undefined) await page.getByLabel('Name *').fill(values.name);
  if (values.email !== undefined) await page.getByLabel('Email *').fill(values.email);
  if (values.phone !== undefined) await page.getByLabel('Phone (Optional)').fill(values.phone);
  if (values.service !== undefined) await page.getByLabel('Service *').selectOption(values.service);
  if (values.message !== undefined) await page.getByLabel('Message *').fill(values.message);
}

const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;

/** The reference in an answer's text. */
export function referenceIn(text: string): string {
  const reference = REFERENCE.exec(text)?.[0];
  if (reference === undefined) throw new Error('The answer holds no reference');
  return reference;
}
