import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { pdfOfSize } from '../../form-service/test/corpus/pdf.ts';
import { hydrate } from './site.ts';
import { applicationField, applicationWords } from './words.ts';

/** Creates an application with a unique name. */
export function newApplication() {
  return {
    fullName: `Ana ${randomUUID().slice(0, 8)} O\u2019Neill`,
    email: 'ana@example.org',
    phone: '+44 1632 960001',
    position: 'Android Developer',
    experience: '2 years',
    coverLetter: 'I fly kites <3.\n\nשלום',
  };
}

export const resumeOf = (bytes: number) => ({
  name: 'Résumé ✈ Ana.pdf',
  mimeType: 'application/pdf',
  buffer: pdfOfSize(bytes),
});

/** Dialog of the form. Without JavaScript the form is a section of the page. */
export const applicationDialog = (page: Page): Locator => page.getByRole('dialog');
/** First link that opens the dialog. With JavaScript it is a button. */
export const applicationOpener = (page: Page): Locator => page.locator('main [aria-haspopup=dialog]').first();
export const resumeInput = (page: Page): Locator => applicationField(page, 'resume');
export const submitButton = (page: Page): Locator => page.getByRole('button', { name: applicationWords.submit });

/** Opens the page and its dialog, hydrated. */
export async function openApplication(page: Page): Promise<void> {
  await page.goto('/careers');
  await hydrate(page);
  await applicationOpener(page).click();
  await expect(applicationDialog(page)).toBeVisible();
}

/** Fills every field of the open form, and chooses the résumé if there is one. */
export async function fillApplication(
  page: Page,
  application: ReturnType<typeof newApplication>,
  resume?: ReturnType<typeof resumeOf>,
): Promise<void> {
  await applicationField(page, 'fullName').fill(application.fullName);
  await applicationField(page, 'email').fill(application.email);
  await applicationField(page, 'phone').fill(application.phone);
  await applicationField(page, 'position').fill(application.position);
  await applicationField(page, 'experience').fill(application.experience);
  await applicationField(page, 'coverLetter').fill(application.coverLetter);
  if (resume) await resumeInput(page).setInputFiles(resume);
}

/** Sends the filled form and returns the reference in the response. */
export async function sendApplication(page: Page): Promise<string> {
  const answered = page.waitForResponse('**/api/resume');
  await submitButton(page).click();
  return ((await (await answered).json()) as { reference: string }).reference;
}
