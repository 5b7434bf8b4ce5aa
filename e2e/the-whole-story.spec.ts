import { nounOf } from '../form-service/src/contract/forms.ts';
import { words } from '../form-service/test/words.ts';
import { signIn } from './harness/inbox-users.ts';
import { expect, test } from './harness/test.ts';
import { fillEnquiry, newEnquiry, openEnquiry, sendEnquiry } from './pages/enquiry-page.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** The product in one test: an enquiry from the visitor to its erasure. */
test('enquiry > is sent, mailed, found, marked as done and erased', async ({ page, mailbox }) => {
  const enquiry = newEnquiry();

  await test.step('the visitor sends the form and keeps a reference', async () => {
    await openEnquiry(page);
    await fillEnquiry(page, enquiry);
  });
  const reference = await sendEnquiry(page);

  await test.step('sales receives the mail and can reply to the visitor', async () => {
    const mail = await mailbox.waitFor(reference);
    expect(mail.text).toContain(enquiry.name);
    expect(mail.replyTo?.value[0]?.address).toBe(enquiry.email);
  });

  await test.step('sales finds the enquiry in the inbox', async () => {
    await signIn(page, 'sales');
    await page.getByRole('searchbox').fill(enquiry.marker);
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: enquiry.name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(enquiry.name);
  });

  await test.step('sales marks it as done', async () => {
    await page.locator('[data-key=e]').click();
    await expect(page.getByRole('status')).toHaveText(words.inbox.list.marked.done({ count: 1 }));
  });

  await test.step('sales erases it at the visitor\u2019s request', async () => {
    await page.goto(`/inbox/${reference}`);
    await page.getByText(words.inbox.submission.eraseThis({ noun: nounOf('contact') })).click();
    await page.getByRole('button', { name: words.inbox.submission.erase }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.inbox.submission.erased);
    expect((await page.request.get(`/inbox/${reference}`)).status()).toBe(404);
  });
});
