import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { SETTING_NAMES } from '../../form-service/src/settings/settings.ts';
import { STACK_SETTING_NAMES } from './settings.ts';

/** Each setting has to be learned, tested and kept. What can be derived is none. */
const SETTINGS_MAX = 56;

/** Variables of Node.js, Compose and proxies. */
const OF_OTHERS = /^(?:NODE_|COMPOSE_|(?:HTTPS?|NO)_PROXY$)/;

it('settings > are few, and each is in .env.example', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const explained = new Set([...example.matchAll(/^#(\w+)=/gm)].map(([, name = '']) => name));
  const read = [...SETTING_NAMES, ...STACK_SETTING_NAMES];
  expect(read.filter((name) => !explained.has(name))).toEqual([]);
  const all = [...new Set([...read, ...explained])].filter((name) => !OF_OTHERS.test(name));
  expect(all.length).toBeLessThanOrEqual(SETTINGS_MAX);
});
