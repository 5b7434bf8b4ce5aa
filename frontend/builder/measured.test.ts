import { expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { withMeasured } from './measured.ts';

/** Random text, which hardly compresses. */
const textOf = (bytes: number) => randomBytes((bytes * 3) / 4).toString('base64');

/** The number of kilobytes in a page that names a size. */
const named = (name: string, page: string, rest: Parameters<typeof withMeasured>[1]) => {
  const html =
    withMeasured(
      new Map([
        ['a.html', `{measured.${name}} ${page}`],
        ['b.html', ''],
      ]),
      rest,
    ).get('a.html') ?? '';
  return Number.parseFloat(html.replace(',', '.'));
};

test('size of a page > counts the largest page and the style sheet', () => {
  const [page, sheet] = [textOf(20_000), textOf(40_000)];
  const alone = named('page', page, { sheet: '', scripts: [textOf(10_000)] });
  expect(alone).toBeGreaterThan(14);
  expect(named('page', page, { sheet, scripts: [] })).toBeGreaterThan(2 * alone);
});

test('size of the script > counts every script', () => {
  const [one, other] = [textOf(20_000), textOf(40_000)];
  const alone = named('script', '', { sheet: textOf(10_000), scripts: [one] });
  expect(alone).toBeGreaterThan(14);
  expect(named('script', '', { sheet: '', scripts: [one, other] })).toBeGreaterThan(2 * alone);
});
