import { expect, jest, test } from '@jest/globals';
import * as content from 'virtual:content';

/** Shapes that the components draw for the motif, and classes of styles for them. */
const KITES = /data-rising-kite|\b(?:service-mark|(?<!\.)kite-outline|climbing)\b|M8 1 15 8|M0 92V114|1l7 8-7 14-7-14z/;

const withKites = async () => {
  const { renderAll } = await import('./render.tsx');
  return (await renderAll()).flatMap(({ path, body }) => {
    const [found] = KITES.exec(body) ?? [];
    return found ? [`${path}: ${found}`] : [];
  });
};

(content.motif === 'kite' ? test : test.skip)('pages > draw kites > with that motif', async () => {
  expect((await withKites()).length).toBeGreaterThan(10);
});

test('pages > draw no kite > without a motif', async () => {
  jest.resetModules();
  jest.unstable_mockModule('virtual:content', () => ({ ...content, motif: 'none' }));
  expect(await withKites()).toEqual([]);
});
