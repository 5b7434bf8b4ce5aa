import { chromium, devices, type Browser } from '@playwright/test';
import { recordRendering } from '../e2e/pages/rendering.ts';
import { CHROMIUM, CHROMIUM_ARGUMENTS, measurePages } from './pages.ts';

/** Time in ms from the start after which every page is still. */
const STILL_MS = 3500;
/** Scrolled distance in pixels, and its speed in pixels a second. */
const SCROLL = { yDistance: -4500, speed: 2500 };

const WINDOWS = {
  1280: { viewport: { width: 1280, height: 800 } },
  390: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } },
};

/** Opens a page, waits until it is still, and scrolls through it, as a visitor with each of the windows. */
async function measure(browser: Browser, url: string): Promise<object> {
  const columns: [string, number][] = [];
  for (const [width, { viewport, ...device }] of Object.entries(WINDOWS)) {
    const page = await browser.newPage({ ...device, viewport });
    const start = await recordRendering(page, async () => {
      await page.goto(url);
      await page.waitForTimeout(STILL_MS);
    });
    const client = await page.context().newCDPSession(page);
    const scrolling = await recordRendering(page, async () => {
      await client.send('Input.synthesizeScrollGesture', { x: 100, y: 400, ...SCROLL });
    });
    for (const [when, { refused, ...counts }] of Object.entries({ start, scrolling }))
      for (const [name, count] of Object.entries({ ...counts, refused: refused.length }))
        columns.push([`${width} ${when} ${name}`, count]);
    await page.close();
  }
  return Object.fromEntries(columns);
}

/** `npm run bench motion` counts what each page lays out and paints, and writes `bench/motion.md`. */
const meaning = `Layouts, painted frames and layers, layouts and styles that a script had to wait for, and animations
that the compositor refuses: from the start to ${STILL_MS / 1000} s, and while scrolling. There should be at most 12 layouts and
12 frames at the start, and nothing forced or refused.`;

const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });
await measurePages({ chosen: process.argv.slice(2), name: 'motion', meaning }, (url) => measure(browser, url));
await browser.close();
