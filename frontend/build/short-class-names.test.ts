import { expect, test } from '@jest/globals';
import { shortenClassNames } from './short-class-names.ts';

const css =
  '.grid{display:grid}.hover\\:p-2:hover{padding:2px}.hover\\:p-20:hover{padding:20px}.a+.\\[\\&\\>b\\]\\:c{color:red}';

test('long class names are short in the page and in its style sheet, and the others stay', () => {
  const html = '<p class="grid hover:p-20 hover:p-2"><b class="a [&amp;&gt;b]:c"></b></p>';
  expect(shortenClassNames({ html, css })).toEqual({
    html: '<p class="grid _0 _1"><b class="a _2"></b></p>',
    css: '.grid{display:grid}._1:hover{padding:2px}._0:hover{padding:20px}.a+._2{color:red}',
  });
});

test('a page with an island keeps its names, which the script of the island knows', () => {
  const page = { html: '<div data-island="/x.js"><p class="hover:p-2"></p></div>', css };
  expect(shortenClassNames(page)).toBe(page);
});
