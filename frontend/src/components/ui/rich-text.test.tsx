/** @jest-environment ./test/browser-environment.js */
import { describe, expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { withoutRefused, parseText } from '../../../builder/content/markdown.ts';
import { RichText } from './rich-text.tsx';

const html = (text: string) =>
  render(
    <MemoryRouter>
      <RichText text={withoutRefused(parseText(text))} />
    </MemoryRouter>,
  ).container.innerHTML;

describe('rich text', () => {
  test.each([
    ['Read our [terms](/terms).', 'Read our <a href="/terms">terms</a>.'],
    ['[First](/about) and [last](#faq)', '<a href="/about">First</a> and <a href="#faq">last</a>'],
    ['[one](/about)[two](/terms)', '<a href="/about">one</a><a href="/terms">two</a>'],
    ['**Bold**, *stressed* and `code`', '<strong>Bold</strong>, <em>stressed</em> and <code>code</code>'],
    ['Fields marked * are required, 5 * 6', 'Fields marked * are required, 5 * 6'],
    ['1. is no list, [but one](/about)', '1. is no list, <a href="/about">but one</a>'],
    ['Write to [us](mailto:hello@kitewright.example)', 'Write to <a href="mailto:hello@kitewright.example">us</a>'],
  ])('renders the links of %s', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  test.each(['[no address]', '(/about)', 'a [b] c'])('leaves %s as it is', (text) => {
    expect(html(text)).toBe(text);
  });

  test('renders HTML as text', () => {
    expect(html('5 < 6 & `<b>`')).toBe('5 &lt; 6 &amp; <code>&lt;b&gt;</code>');
    expect(html('<b>bold</b>')).toBe('bold');
  });
});
