import puppeteer, { type ElementHandle } from 'puppeteer-core';
import type { Browser } from './browser.ts';

/** Controls Firefox over its own WebDriver BiDi. */
export async function startFirefox(executablePath: string): Promise<Browser> {
  // No time limit of its own: the first start on a busy machine takes long, and the test's limit detects a hang.
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, timeout: 0 });
  const page = await browser.newPage();
  return {
    open: async (url) => void (await page.goto(url)),
    resize: (width, height) => page.setViewport({ width, height }),
    click: (selector) => page.click(selector),
    type: (selector, text) => page.type(selector, text),
    attach: async (selector, path) => ((await page.$(selector)) as ElementHandle<HTMLInputElement>).uploadFile(path),
    evaluate: (expression) => page.evaluate(expression) as Promise<never>,
    close: () => browser.close(),
  };
}
