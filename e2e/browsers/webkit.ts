import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from '@playwright/test';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import type { Browser } from './browser.ts';

/** Web element identifier of W3C WebDriver. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Controls WebKitGTK over W3C WebDriver, on a virtual display. */
export async function startWebKit(driverPath: string, screenPath: string): Promise<Browser> {
  const screenArguments = ['-displayfd', '1', '-screen', '0', '1400x1200x24'];
  const screen = spawn(...endingWithParent('SIGTERM', screenPath, screenArguments), {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [display] = (await once(screen.stdout, 'data')) as [Buffer];
  const [port] = await freePorts(1);
  const env = { ...process.env, DISPLAY: `:${display.toString().trim()}` };
  const driver = spawn(...endingWithParent('SIGTERM', driverPath, [`--port=${port}`]), { stdio: 'ignore', env });

  const send = async <Value>(method: string, path: string, body?: object): Promise<Value> => {
    const init = { method, headers: { connection: 'close' }, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { value } = (await answer.json()) as { value: Value };
    if (!answer.ok) throw new Error(`WebKit answers ${JSON.stringify(value)} to ${path}`);
    return value;
  };
  await expect(() => send('GET', '/status')).toPass();
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', { capabilities: {} });
  const session = `/session/${sessionId}`;
  const post = <Value>(path: string, body: object = {}) => send<Value>('POST', `${session}${path}`, body);
  const element = async (selector: string) => {
    const found = await post<Record<string, string>>('/element', { using: 'css selector', value: selector });
    return `/element/${found[ELEMENT]}`;
  };
  const evaluate = <Value>(expression: string) =>
    post<Value>('/execute/sync', { script: `return (${expression})`, args: [] });
  const write = async (selector: string, text: string) => post<void>(`${await element(selector)}/value`, { text });

  return {
    evaluate,
    open: (url) => post('/url', { url }),
    async resize(width, height) {
      const [right, below] = await evaluate<[number, number]>('[outerWidth - innerWidth, outerHeight - innerHeight]');
      await post('/window/rect', { width: width + right, height: height + below });
    },
    // The driver does not scroll to an element a few pixels below the window, and reports it as not interactable.
    async click(selector) {
      const centre = `scrollIntoView({ block: 'center', behavior: 'instant' })`;
      await evaluate(`document.querySelector(${JSON.stringify(selector)}).${centre}`);
      await expect(async () => post(`${await element(selector)}/click`)).toPass();
    },
    type: write,
    attach: write,
    async close() {
      await send('DELETE', session);
      driver.kill();
      screen.kill();
    },
  };
}
