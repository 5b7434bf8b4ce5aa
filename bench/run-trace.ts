import { chromium, devices, type Browser } from '@playwright/test';
import { CHROMIUM, CHROMIUM_ARGUMENTS, measurePages } from './pages.ts';

/** CPU throttling factor of the phone. */
const SLOWDOWN = 4;
/** Time in ms after `load` during which the page is traced. Everything it does on its own is done by then. */
const REST_MS = 4000;
const LONG_TASK_MS = 50;
const CATEGORIES = ['devtools.timeline', 'loading', 'toplevel', 'disabled-by-default-devtools.timeline'];

/** Trace event; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly frame?: string; readonly beginData?: { readonly frame?: string } };
}

async function trace(browser: Browser, url: string): Promise<object> {
  const context = await browser.newContext({ ...devices['Pixel 7'] });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  const events: TraceEvent[] = [];
  client.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  await client.send('Tracing.start', { traceConfig: { includedCategories: CATEGORIES } });
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForTimeout(REST_MS);
  const complete = new Promise((resolve) => void client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.end');
  await complete;
  await context.close();
  return figuresOf(events);
}

function figuresOf(events: readonly TraceEvent[]): object {
  const paint = events.findLast(({ name }) => name === 'firstContentfulPaint');
  if (!paint) throw new Error('The trace has no first paint');
  const own = events.filter(({ pid, tid }) => pid === paint.pid && tid === paint.tid);
  // SVG images have frames and layouts of their own.
  const ofPage = ({ args }: TraceEvent) => args?.beginData?.frame === paint.args?.frame;
  const layouts = own.filter(({ name, dur }) => name === 'Layout' && dur !== undefined).filter(ofPage);
  const after = ({ ts }: TraceEvent) => ts > paint.ts;
  const tasks = own.filter(({ name }) => name.endsWith('RunTask')).filter(after);
  const long = tasks.map(({ dur = 0 }) => dur / 1000).filter((duration) => duration > LONG_TASK_MS);
  return {
    layouts: layouts.length,
    'layouts after paint': layouts.filter(after).length,
    'ms of layout': Math.round(layouts.reduce((sum, { dur = 0 }) => sum + dur / 1000, 0)),
    'long tasks after paint': long.length,
    'longest task after paint, ms': Math.round(Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000))),
  };
}

/**
 * `npm run bench trace` traces the first visit to every page on a phone with a slow CPU, and writes `bench/trace.md`.
 * `npm run bench trace -- / /contact` traces only these pages and writes nothing.
 */
const meaning = `The first visit of each page on a phone's screen, processor ${SLOWDOWN} times slower, no simulated line,
until ${REST_MS / 1000} s after it has loaded. There should be at most four layouts and no task of more than
${LONG_TASK_MS} ms after the first paint.`;

const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS });
await measurePages({ chosen: process.argv.slice(2), name: 'trace', meaning }, (url) => trace(browser, url));
await browser.close();
