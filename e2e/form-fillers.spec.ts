import type { Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';
import { messages } from '../form-service/src/contract/messages.ts';
import {
  applicationDialog,
  newApplication,
  openApplication,
  resumeInput,
  resumeOf,
  sendApplication,
  submitButton,
} from './pages/application-page.ts';
import { newEnquiry, openEnquiry, sendButton, sendEnquiry } from './pages/enquiry-page.ts';
import { enquiryField, enquiryWords, fieldText } from './pages/words.ts';

/** Sets values like some password managers, form fillers and speech tools: the page receives no event, or only `change`. */
const setValues = (page: Page, values: Readonly<Record<string, string>>, event?: 'change') =>
  page.evaluate(
    ({ entries, type }) => {
      for (const [name, value] of entries) {
        const control = document.querySelector<HTMLInputElement>(`[data-island] [name="${name}"]`);
        if (!control) throw new Error(`No control is named ${name}`);
        control.value = value;
        if (type) control.dispatchEvent(new Event(type, { bubbles: true }));
      }
    },
    { entries: Object.entries(values), type: event },
  );

test('contact form > checks and sends values that were set without an event', async ({ page, mailbox }) => {
  const { name, email, phone, service, message } = newEnquiry();
  await openEnquiry(page);
  await setValues(page, { name, email: 'ana@nowhere' });
  await sendButton(page).click();
  await expect(enquiryField(page, 'email')).toHaveAccessibleDescription(fieldText(enquiryWords, 'email', 'invalid'));
  await expect(enquiryField(page, 'email')).toBeFocused();
  await expect(enquiryField(page, 'name')).not.toHaveAttribute('aria-invalid');
  await setValues(page, { email, phone, service, message });
  const { text } = await mailbox.waitFor(await sendEnquiry(page));
  for (const value of [name, email, phone, service, message]) expect(text).toContain(value);
});

test('application form > sends values that were set with change only', async ({ page, mailbox }) => {
  const application = newApplication();
  await openApplication(page);
  await resumeInput(page).setInputFiles(resumeOf(2_000));
  await expect(submitButton(page)).toBeDisabled();
  await setValues(page, application, 'change');
  await submitButton(page).hover();
  await expect(submitButton(page)).toBeEnabled();
  await expect(applicationDialog(page).getByText(messages.stillNeeded)).toBeHidden();
  const { text } = await mailbox.waitFor(await sendApplication(page));
  for (const value of Object.values(application)) expect(text).toContain(value);
});
