import { expect, test } from './harness/test.ts';
import { hydrate } from './support/visitor.ts';

for (const timezoneId of ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland']) {
  test.describe(`in ${timezoneId} @desktop`, () => {
    test.use({ timezoneId });

    test('a job was posted on the day that is written in it', async ({ page }) => {
      await page.goto('/careers');
      const posted = page.getByText(/^Posted on /);
      await expect(posted).toHaveText('Posted on September 1, 2025');
      await hydrate(page);
      await expect(posted).toHaveText('Posted on September 1, 2025');
      // Drawn by the browser alone, after a way through another page.
      await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
      await expect(page).toHaveURL('/privacy');
      await page.getByRole('contentinfo').getByRole('link', { name: 'Careers' }).click();
      await expect(posted).toHaveText('Posted on September 1, 2025');
    });
  });
}
