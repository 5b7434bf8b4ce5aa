import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import { sampledPaths, sizes } from './harness/matrix.ts';
import { expect, test } from './harness/test.ts';
import { consent } from './support/content.ts';
import { waitForDisplayFont } from './pages/site.ts';

/** Three phones, and the narrowest and widest larger windows with different line breaks in headings. */
const WIDTHS = [375, 390, 412, 768, 1280, 1920];

/**
 * Chunk boundaries. A chunk ends after a block, because `text-wrap` moves the last lines of an incomplete one. A drawing is
 * a block, and an icon before a word is part of its line.
 */
const BLOCK_END = /(?<=<\/(?:p|h[1-6]|ul|ol|dl|picture|header|nav|section)>)|(?<=<\/svg>)(?=<)/;
/** Longer than a frame, so that the browser can paint each part of a page. */
const PAUSE_MS = 25;
/** Number of blocks in the top bar and the first screens. */
const BLOCKS = 90;

declare global {
  interface Window {
    shifts: string[];
  }
}

/** Layout Instability API, which TypeScript's DOM library does not have. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

let slowSite: Server;
test.beforeAll(async ({ baseURL }) => {
  slowSite = await serveSlowly(baseURL ?? '');
});
test.afterAll(() => slowSite.close().closeAllConnections());

for (const [index, path] of sampledPaths.entries()) {
  // The sample has each page in one of the windows.
  const widths = sizes(WIDTHS, [index % 2 === 0 ? 375 : 1280]);
  test(`${path} > has no layout shift > while it loads, swaps the font and scrolls`, async ({ browser }) => {
    const { port } = slowSite.address() as AddressInfo;
    await Promise.all(
      widths.map(async (width) => {
        const shifts = await shiftsOf(browser, `http://127.0.0.1:${port}${path}`, width);
        expect.soft(shifts, `${width} px`).toEqual([]);
      }),
    );
  });
}

/** Opens a page, scrolls to its end, and returns the layout shifts. */
async function shiftsOf(browser: Browser, url: string, width: number): Promise<readonly string[]> {
  // A new context has a cold cache, so the page is painted before the display font arrives.
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  await page.addInitScript(recordShifts, consent.key);
  await page.goto(url);
  await waitForDisplayFont(page);
  await page.evaluate(scrollThrough);
  const shifts = await page.evaluate(() => window.shifts);
  await page.close();
  return shifts;
}

/** Records every layout shift, without the cookie banner. */
function recordShifts(consentKey: string): void {
  localStorage.setItem(consentKey, 'declined');
  window.shifts = [];
  const observer = new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as LayoutShift[]) {
      const what = sources.map(({ node }) =>
        node instanceof Element ? `${node.tagName}.${node.getAttribute('class')}` : `“${node?.textContent}”`,
      );
      window.shifts.push(`${value}: ${what.join(', ')}`);
    }
  });
  observer.observe({ type: 'layout-shift', buffered: true });
}

/** Scrolls to the end, one screen per frame, so that lazy images load too. */
async function scrollThrough(): Promise<void> {
  const frame = () => new Promise((resolve) => void requestAnimationFrame(resolve));
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
    scrollTo({ top, behavior: 'instant' });
    await frame();
  }
  const shown = [...document.images].filter((picture) => picture.checkVisibility());
  await Promise.all(shown.map((picture) => picture.decode()));
  await frame();
  await frame();
}

/** Proxies the site at `origin` so slowly that the browser paints a page many times before it is complete. */
async function serveSlowly(origin: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const headers = { 'Accept-Encoding': 'identity', Connection: 'close' };
    const get = () => fetch(origin + request.url, { headers, redirect: 'manual' });
    // On a busy machine a connection was closed before its answer.
    const answer = await get().catch(get);
    const type = answer.headers.get('content-type') ?? '';
    const policy = answer.headers.get('content-security-policy') ?? '';
    response.writeHead(answer.status, { 'Content-Type': type, 'Content-Security-Policy': policy });
    const content = Buffer.from(await answer.arrayBuffer());
    if (!type.startsWith('text/html')) return void response.end(content);
    // Sends the head at once, since nothing is painted before it, then the first screens block by block.
    const [head = '', ...blocks] = content.toString().split(BLOCK_END);
    response.write(head);
    for (const block of blocks.slice(0, BLOCKS)) {
      response.write(block);
      await pause(PAUSE_MS);
    }
    response.end(blocks.slice(BLOCKS).join(''));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}
