import { expect, test } from '@jest/globals';
import { contentCopy } from '../../test/content-copy.ts';
import { CONTENT } from '../paths.ts';
import { loadContent } from './load-content.ts';

const copy = contentCopy();
const { read, reminders, replace, write } = copy;
const KITES = 'pages/services/kites.yaml';
const ABOUT = /is a fact of company\.yaml/;
const found = () => reminders().filter((line) => ABOUT.test(line));

test('reminds of a text that repeats the value of a fact, at its line', () => {
  replace('company.yaml', 'clients: 4+', 'clients: 4+\n  price: $2,500\n  other: $2,500\n  response: 48 hours');
  write(KITES, `${read(KITES)}# $2,500\n`);
  replace(KITES, /(?<=^  lead: ).*$/m, 'We reply within 48 hours, from $2,500. A day is 148 hours, $2,500,000 or 4+.');
  expect(found()).toEqual([
    expect.stringMatching(
      /kites\.yaml:\d+: "\$2,500" is a fact of company\.yaml: write \{figures\.price\} or \{figures\.other\}$/,
    ),
    expect.stringMatching(/kites\.yaml:\d+: "48 hours" .* write \{figures\.response\}$/),
  ]);
});

test('finds a repeated fact in the words of a form', () => {
  replace('company.yaml', 'clients: 4+', 'clients: 4+\n  response: 24 hours');
  expect(found()).toEqual(
    [132, 140].map(
      (line) => `content/wording.yaml:${line}: "24 hours" is a fact of company.yaml: write {figures.response}`,
    ),
  );
});

test('finds a repeated fact in Markdown', () => {
  replace('company.yaml', 'clients: 4+', 'clients: 4+\n  response: 48 hours');
  write('legal/privacy.md', `${read('legal/privacy.md')}\nWe reply within 48 hours.\n`);
  const line = read('legal/privacy.md').split('\n').length - 1;
  expect(found()).toEqual([expect.stringMatching(new RegExp(`privacy\\.md:${line}: "48 hours"`))]);
});

test('is silent about the content of the site and about near values', () => {
  replace('company.yaml', 'clients: 4+', 'clients: 4+\n  price: $2,500');
  write('legal/privacy.md', `${read('legal/privacy.md')}\n$12,500, $2,500.50, $2,500,000 and 2,500.\n`);
  expect(found()).toEqual([]);
  expect(loadContent(CONTENT).reminders.filter(({ message }) => ABOUT.test(message))).toEqual([]);
});
