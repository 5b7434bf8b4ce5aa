import type { Browser, Page } from '@playwright/test';
import { hasDeclinedCookies, twoFrames } from '../support/visitor.ts';
import type { Shot } from './gallery.ts';
import type { Theme } from './options.ts';

/** The boot notes here that the display face has come (frontend/src/boot/display-font.ts). */
const FACE_KEY = 'display-font';

/** Takes full-page pictures in one browser, one page at a time. */
export class Photographer {
  readonly #browser: Browser;
  readonly #origin: string;

  constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.#origin = origin;
  }

  /** Pictures several pages at one width in one theme. */
  async picture(
    paths: readonly string[],
    width: number,
    theme: Theme,
    fileOf: (shot: Shot) => Promise<string>,
  ): Promise<void> {
    const context = await this.#browser.newContext({
      viewport: { width, height: width < 600 ? 812 : 900 },
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await hasDeclinedCookies(page);
    // Each page is the first of a visit, so that the boot fetches the display face anew, and when it has is known.
    await page.addInitScript((key) => sessionStorage.removeItem(key), FACE_KEY);
    for (const path of paths) {
      await page.goto(this.#origin + path);
      await settle(page);
      await page.screenshot({ path: await fileOf({ path, width, theme }), fullPage: true, animations: 'disabled' });
    }
    await context.close();
  }
}

/** Resolves when the display face is in use and every picture is drawn, those below the fold included. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction((key) => sessionStorage.getItem(key) !== null, FACE_KEY);
  await page.evaluate(async () => {
    document.documentElement.dataset.font = '';
    const pictures = [...document.images];
    for (const picture of pictures) picture.loading = 'eager';
    await Promise.all(pictures.map((picture) => picture.decode()));
  });
  await twoFrames(page);
}
