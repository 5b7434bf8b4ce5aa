import { expect, test } from './harness/test.ts';

for (const timezoneId of ['America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland']) {
  test.describe(`in ${timezoneId} @desktop`, () => {
    test.use({ timezoneId });

    test('a job was posted on the day that is written in it', async ({ page }) => {
      await page.goto('/careers');
      const posted = page.getByText(/^Posted on /);
      await expect(posted).toHaveText('Posted on September 1, 2025');
    });
  });
}
