import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { Markdown } from '../../src/components/ui/markdown.tsx';
import { contentCopy } from '../../test/content-copy.ts';
import { readBody } from './markdown-body.ts';

const DOCUMENTS = join(import.meta.dirname, '../../test/documents');
const { load, mistakes, read, write } = contentCopy();
const document = (name: string) => readFileSync(join(DOCUMENTS, name), 'utf8');

/** Returns the elements of a Markdown text, without their classes. */
function elementsOf(text: string) {
  const { body } = readBody('legal/a.md', `## Heading\n\n${text}`, 0);
  const markup = renderToStaticMarkup(createElement(Markdown, { blocks: body.parts[0]?.blocks ?? [], heading: 'h3' }));
  return markup.replaceAll(/ class="[^"]*"/g, '');
}

describe('a legal text with clauses', () => {
  const page = () => {
    write('legal/terms.md', document('terms.md'));
    return load().pages.find(({ path }) => path === '/terms');
  };
  const body = () => {
    const section = page()?.sections[0];
    if (section?.kind !== 'legal') throw new Error('there is no legal text');
    return section.body;
  };

  test('is published without a mistake', () => {
    write('legal/terms.md', document('terms.md'));
    expect(mistakes()).toEqual([]);
  });

  test('keeps every clause, numbered at three levels', () => {
    const [definitions] = body().parts;
    const markup = renderToStaticMarkup(createElement(Markdown, { blocks: definitions?.blocks ?? [], heading: 'h3' }));
    const depths = [...markup.matchAll(/<ol class="[^"]*list-([\w[\]-]+)/g)].map(([, style]) => style);
    expect(depths).toEqual(['decimal', '[clause-letter]', '[clause-roman]']);
    const written = document('terms.md').match(/^ *(?:\d+\.|-) /gm)?.length;
    const items = body().parts.flatMap(
      ({ blocks }) => renderToStaticMarkup(createElement(Markdown, { blocks, heading: 'h3' })).match(/<li/g) ?? [],
    );
    expect(items).toHaveLength(written ?? 0);
  });

  test('keeps the line breaks of an address', () => {
    const markup = renderToStaticMarkup(createElement(Markdown, { blocks: body().lead, heading: 'h3' }));
    expect(markup).toContain('Nordlicht Systems GmbH<br/>0 Example Street<br/>Madurai 000000<br/>Nepal');
  });

  test('gives each heading a unique anchor', () => {
    const { parts } = body();
    const ids = parts.flatMap(({ id, blocks }) => [
      id,
      ...blocks.flatMap((block) => ('heading' in block ? block.id : [])),
    ]);
    expect(ids).toContain('definitions-2');
    expect(ids).toContain('order-of-precedence');
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('lets links lead to its sub-headings', () => {
    write('legal/terms.md', document('terms.md').replace('(#confidentiality)', '(#order-of-precedense)'));
    expect(mistakes()).toEqual([expect.stringContaining('did you mean "order-of-precedence"?')]);
  });
});

describe('Markdown becomes', () => {
  test.each([
    ['a list that begins at another number', '4. Four\n5. Five', '<ol start="4"><li>Four</li><li>Five</li></ol>'],
    ['a nested list', '- One\n  - Half', '<ul><li>One<div><ul><li>Half</li></ul></div></li></ul>'],
    ['an item of two paragraphs', '- One\n\n  Two', '<ul><li>One<div><p>Two</p></div></li></ul>'],
    ['a sub-heading', '### Below\n\nText', '<h3 id="below">Below</h3><p>Text</p>'],
    ['a line break by a backslash', 'One\\\nTwo', '<p>One<br/>Two</p>'],
    ['a line break by two blanks', 'One  \nTwo', '<p>One<br/>Two</p>'],
    [
      'one paragraph for lines that follow each other',
      'One\nTwo - three\n2025. And so on',
      '<p>One Two - three 2025. And so on</p>',
    ],
    ['clauses that carry their own numbers', '(a) One\n\n(b) Two', '<p>(a) One</p><p>(b) Two</p>'],
  ])('%s', (_what, text, markup) => {
    expect(elementsOf(text)).toBe(markup);
  });
});

test('reports an anchor of two headings', () => {
  write('legal/privacy.md', `${read('legal/privacy.md')}\n## Again {#daten}\n\nText.\n`);
  expect(mistakes()).toEqual([
    expect.stringContaining('{#daten} is the anchor of another heading: choose another one'),
  ]);
});
