import { describe, expect, test } from '@jest/globals';
import { pageStyles } from './page-styles.ts';

const html = '<main class="card card--wide"><p class="lead">x</p></main>';
const keeps = (css: string) => pageStyles(css, html);

describe('the styles of a page', () => {
  test.each(['.card{a:b}', 'p{a:b}', ':root{--a:b}', '.card .lead{a:b}', 'html[data-x] .card{a:b}', '.card:not(.gone){a:b}', '.card:has(.gone){a:b}'])(
    'keep what it can use: %s',
    (css) => expect(keeps(css)).toBe(css),
  );

  test.each(['.gone{a:b}', '.card .gone{a:b}', '.card.gone{a:b}', '@media print{.gone{a:b}}', '@layer x{.gone{a:b}}'])(
    'leave out what it cannot: %s',
    (css) => expect(keeps(css)).toBe(''),
  );

  test.each(['p{a:b}', 'p:hover{a:b}', 'main>p+p{a:b}', 'html,body{a:b}', '*,:before{a:b}', '#menu p{a:b}', '[type=button] p{a:b}', 'p:is(table,ul){a:b}', 'main{a:b;> p{a:b}}'])(
    'keep what names only its elements: %s',
    (css) => expect(keeps(css)).toBe(css),
  );

  test.each(['table{a:b}', 'main table{a:b}', '.card>ul{a:b}', '::placeholder{a:b}', '::-webkit-datetime-edit{a:b}', ':-moz-ui-invalid{a:b}'])(
    'leave out what is of other elements: %s',
    (css) => expect(keeps(css)).toBe(''),
  );

  test('keep what a form may show later', () => {
    const css = '::placeholder{a:b}.field-error{a:b}.drop-zone progress{a:b}';
    expect(pageStyles(css, '<form></form>')).toBe(css);
    expect(pageStyles(css, '<p></p>')).toBe('');
  });

  test('keep of a list the selectors that it can use', () => {
    expect(keeps('.gone,.lead{a:b}')).toBe('.lead{a:b}');
  });

  test('are pruned inside rules and media too', () => {
    expect(keeps('.card{a:b;.gone{a:b}.lead{c:d}}')).toBe('.card{a:b;.lead{c:d}}');
    expect(keeps('@media print{.gone{a:b}.lead{c:d}}')).toBe('@media print{.lead{c:d}}');
  });

  test('keep what belongs to no selector', () => {
    const css = '@font-face{font-family:a}@keyframes b{from{a:b}}@layer base,components;@view-transition{navigation:auto}';
    expect(keeps(css)).toBe(css);
  });
});
