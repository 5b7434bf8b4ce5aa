import { EventEmitter, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { requireChromium } from '../scripts/checks/browser.ts';
import { freePorts } from '../scripts/stack/ports.ts';
import { httpProbe } from '../scripts/stack/probes.ts';
import { replaceOnce } from './frontend-copy.ts';
import { withProcess } from './local-process.ts';

const PATH = '/about';
const FILE = 'content/pages/about.yaml';
/** Where the page's first sentence begins in the file. */
const SENTENCE = 'lead: >-\n    ';

/** Between two changes, in milliseconds: the page has loaded and is at rest, and React has not come unasked. */
const REST_MS = 1_000;
const DEADLINE_MS = 20_000;

/** In every document that the page loads: tells each new change, and the time of the frame that shows it first. */
const TELL_CHANGES = `
  let told;
  requestAnimationFrame(function look() {
    const change = /Change \\d+/.exec(document.querySelector('main')?.textContent)?.[0];
    if (change && change !== told) tellChange(told = change, performance.timeOrigin + performance.now());
    requestAnimationFrame(look);
  });`;

/**
 * Changes a sentence of a page's content again and again, while Vite serves the page as in `npm run dev` and a browser
 * shows it, untouched.
 *
 * @param frontend a copy of the frontend; the file with the sentence is written to
 * @returns for each change, milliseconds from the moment before the file is written to the frame that shows the sentence
 */
export async function changeSentences(frontend: string, count: number): Promise<number[]> {
  await requireChromium();
  // It looks for a Chromium when it is loaded.
  const { default: config } = await import('../e2e/playwright.config.ts');
  const [port = 0, noService = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${port}${PATH}`;
  const args = [
    resolve('node_modules/vite/bin/vite.js'),
    frontend,
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--strictPort',
  ];
  return withProcess(process.execPath, args, { API_PORT: String(noService) }, httpProbe(url), async () => {
    const browser = await chromium.launch(config.use?.launchOptions);
    try {
      return await measure(await browser.newPage(), url, join(frontend, FILE), count);
    } finally {
      await browser.close();
    }
  });
}

async function measure(page: Page, url: string, file: string, count: number): Promise<number[]> {
  const content = readFileSync(file, 'utf8');
  const shown = new EventEmitter();
  await page.exposeFunction('tellChange', (change: string, at: number) => shown.emit(change, at));
  await page.addInitScript(TELL_CHANGES);
  await page.goto(url);
  const times: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    await pause(REST_MS);
    const change = `Change ${number}`;
    const seen = once(shown, change, { signal: AbortSignal.timeout(DEADLINE_MS) });
    const writtenAt = Date.now();
    writeFileSync(file, replaceOnce(content, SENTENCE, `${SENTENCE}${change}. `));
    const [shownAt] = (await seen.catch(() => {
      throw new Error(`${PATH} does not show a changed sentence within ${DEADLINE_MS / 1000} s`);
    })) as [number];
    times.push(shownAt - writtenAt);
  }
  return times;
}
