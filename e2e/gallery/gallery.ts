import { MAIL_EXAMPLES } from '../../form-service/test/mail-examples.ts';
import { expect, test } from '../harness/test.ts';
import { displayFaceIsThere, paths, UNKNOWN_PATH } from '../pages/site.ts';

/** Widths the design is judged at: phone, tablet, laptop, large screen; a mail on a phone and in a mail program's pane. */
const PAGE_WIDTHS = [375, 768, 1280, 1920];
const MAIL_WIDTHS = [375, 700];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of new Set([...PAGE_WIDTHS, ...MAIL_WIDTHS])) {
    const nameOf = (what: string) =>
      `${what.replace(/^\//, '').replaceAll('/', '-') || 'home'}-${width}-${colorScheme}.png`;
    test.describe(`${width} px, ${colorScheme}:`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme, contextOptions: { reducedMotion: 'reduce' } });

      for (const path of PAGE_WIDTHS.includes(width) ? [...paths, UNKNOWN_PATH] : []) {
        test(path, async ({ page, expectedConsoleErrors }) => {
          expectedConsoleErrors.push(/404/);
          await page.goto(path);
          await displayFaceIsThere(page);
          await page.evaluate(() => {
            const pictures = [...document.images];
            for (const one of pictures) one.loading = 'eager';
            return Promise.all(pictures.map((one) => one.decode()));
          });
          await expect(page).toHaveScreenshot(nameOf(path), { fullPage: true });
        });
      }
      for (const [name, { html }] of MAIL_WIDTHS.includes(width) ? Object.entries(MAIL_EXAMPLES) : []) {
        test(`the mail ${name}`, async ({ page }) => {
          await page.setContent(html);
          await expect(page).toHaveScreenshot(nameOf(`mail-${name}`), { fullPage: true });
        });
      }
    });
  }
}
