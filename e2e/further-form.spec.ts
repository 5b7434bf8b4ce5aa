import { randomUUID } from 'node:crypto';
import type { Locator } from '@playwright/test';
import { markedLabel, type FormField } from '../form-service/src/contract/define-form.ts';
import { FORMS } from '../form-service/src/contract/form-list.ts';
import { LOCALE } from '../form-service/src/contract/locale.ts';
import { pdfOfSize } from '../form-service/test/corpus/pdf.ts';
import { words } from '../form-service/test/words.ts';
import { signIn } from './harness/inbox-users.ts';
import { expect, test } from './harness/test.ts';
import { hydrate, referenceIn } from './pages/site.ts';

/** Forms that a company has added, as docs/forms.md says. The example site has none, the second company has one. */
const FURTHER_FORMS = FORMS.filter(({ kind }) => kind !== 'contact' && kind !== 'application');

async function fill(control: Locator, { input }: FormField, marker: string): Promise<void> {
  const file = { name: 'Profile.pdf', mimeType: 'application/pdf', buffer: pdfOfSize(30_000) };
  if (input === 'select') await control.selectOption({ index: 1 });
  else if (input === 'checkbox') await control.check();
  else if (input === 'file') await control.setInputFiles(file);
  else if (input === 'date') await control.fill('2027-03-01');
  else if (input === 'email') await control.fill(`${marker}@visitor.example`);
  else await control.fill(`A text that is long enough for ${marker}`);
}

for (const { kind, page: path, fields, words: own } of FURTHER_FORMS)
  test(`${kind} form > is sent, mailed, and found in the inbox by its words`, async ({ page, mailbox }) => {
    const marker = randomUUID().slice(0, 8);
    await page.goto(path);
    await expect(page.locator('html')).toHaveAttribute('lang', LOCALE);
    await hydrate(page);
    for (const field of fields) await fill(page.getByLabel(markedLabel(field), { exact: true }), field, marker);
    await page.getByRole('button', { name: own.submit }).click();
    const outcome = page.locator(`#${kind}-outcome`);
    await expect(outcome).toContainText(own.sentDetail);
    const reference = referenceIn(await outcome.innerText());

    const mail = await mailbox.waitFor(reference);
    expect(mail.subject).toContain(own.noun);
    expect(mail.attachments[0]?.filename).toBe('Profile.pdf');

    await signIn(page, 'all');
    await page.getByRole('searchbox').fill(marker);
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: marker }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', LOCALE);
    const erase = page.getByRole('link', { name: words.inbox.submission.eraseThis({ noun: own.noun }) });
    await expect(erase).toBeVisible();
    for (const { label, role } of fields.filter(({ input, role }) => input !== 'file' && role !== 'sender'))
      await expect(page.locator('main'), `${label} ${role}`).toContainText(label);
  });
