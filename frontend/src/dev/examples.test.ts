import { describe, expect, test } from '@jest/globals';
import type { Section } from '../content/schema.ts';
import { pages } from 'virtual:content';
import { examples, withLongWords } from './examples.ts';

const kinds = (sections: readonly Section[]) => new Set(sections.map(({ kind }) => kind));

describe('examples', () => {
  const shown = examples(pages);

  test('show every kind of section that a page has', () => {
    expect(kinds(shown.map(({ section }) => section))).toEqual(kinds(pages.flatMap(({ sections }) => sections)));
  });

  test('show every shape of features, and processes of 4, 5 and 6 steps', () => {
    const names = shown.map(({ name }) => name).join('; ');
    for (const shape of ['cards', 'rows', 'columns', 'split', 'tags', 'metrics'])
      expect(names).toContain(`features, ${shape}`);
    for (const steps of [4, 5, 6]) expect(names).toContain(`process of ${steps}`);
  });

  test('show each once', () => {
    expect(new Set(shown.map(({ name }) => name)).size).toBe(shown.length);
  });
});

test('long words are put where visitors read, and addresses and ids stay', () => {
  const cta = { kind: 'cta', id: 'start', heading: 'Begin', actions: [{ label: 'Go', href: '/contact' }] } as const;
  const long = withLongWords(cta);
  expect(long).toMatchObject({ kind: 'cta', id: 'start', actions: [{ href: '/contact' }] });
  expect(long.heading).toMatch(/^\S{30,} Begin$/);
  expect(long.actions[0].label).toMatch(/^\S{30,} Go$/);
});
