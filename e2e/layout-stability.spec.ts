import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from './harness/test.ts';
import { displayFaceIsThere, paths, UNKNOWN_PATH } from './pages/site.ts';

/** Three of phones, and of larger windows the narrowest and widest that headings break differently in. */
const WIDTHS = [375, 390, 412, 768, 1280, 1920];

/** Where a page is cut. Within a block `text-wrap` would set the last lines anew as their words come. */
const BLOCK_END = /(?<=<\/(?:p|h[1-6]|ul|ol|dl|picture|header|nav|section)>)/;
const PAUSE_MS = 9;
/** What the top bar and the first screens are made of. */
const BLOCKS = 60;

declare global {
  interface Window {
    shifts: string[];
  }
}

/** What the browser's layout-shift entries say; TypeScript's library does not know them. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

let slowSite: Server;
test.beforeAll(async ({ baseURL }) => {
  slowSite = await serveSlowly(baseURL ?? '');
});
test.afterAll(() => slowSite.close().closeAllConnections());

for (const path of [...paths, UNKNOWN_PATH]) {
  test(`Nothing moves while ${path} arrives, its display face comes and it is scrolled through.`, async ({
    browser,
  }) => {
    const { port } = slowSite.address() as AddressInfo;
    const watch = async (width: number) => {
      // A cold cache: nothing is there but what arrives, and the page is painted before the face can be there.
      const page = await browser.newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
      await page.addInitScript(noteShifts);
      await page.goto(`http://127.0.0.1:${port}${path}`);
      await displayFaceIsThere(page);
      await page.evaluate(scrollThrough);
      expect.soft(await page.evaluate(() => window.shifts), `${width} px`).toEqual([]);
      await page.close();
    };
    await Promise.all(WIDTHS.map(watch));
  });
}

function noteShifts(): void {
  localStorage.setItem('kitewright-cookie-consent', 'declined');
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

/** To the end, a screen a frame, so that pictures below the fold come too. */
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

/** The same site as at `origin`, over a line so slow that the browser paints a page many times before it is complete. */
async function serveSlowly(origin: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const headers = { 'Accept-Encoding': 'identity' };
    const answer = await fetch(origin + request.url, { headers, redirect: 'manual' });
    const type = answer.headers.get('content-type') ?? '';
    const policy = answer.headers.get('content-security-policy') ?? '';
    response.writeHead(answer.status, { 'Content-Type': type, 'Content-Security-Policy': policy });
    const content = Buffer.from(await answer.arrayBuffer());
    if (!type.startsWith('text/html')) return void response.end(content);
    // The head comes at once, for nothing is painted before it; then the first screens, block by block.
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
