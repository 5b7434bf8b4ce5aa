import { describe, expect, test } from '@jest/globals';
import { pageStyles } from './page-styles.ts';

const html = '<main class="card card--wide"><p class="lead">x</p></main>';
const keeps = (css: string) => pageStyles(css, html);

describe('the styles of a page', () => {
  test.each([
    '.card{a:b}',
    'p{a:b}',
    '.card .lead{a:b}',
    'html[data-x] .card{a:b}',
    '.card:not(.gone){a:b}',
    '.card:not(:has(.gone)){a:b}',
    '.card:has(>.lead){a:b}',
  ])('keep what it can use: %s', (css) => expect(keeps(css)).toBe(css));

  test.each(['.gone{a:b}', '.card .gone{a:b}', '.card.gone{a:b}', '@media print{.gone{a:b}}', '@layer x{.gone{a:b}}'])(
    'leave out what it cannot: %s',
    (css) => expect(keeps(css)).toBe(''),
  );

  test.each([
    'p{a:b}',
    'p:hover{a:b}',
    'main>p+p{a:b}',
    'html,body{a:b}',
    '*,:before{a:b}',
    '#menu p{a:b}',
    '[type=button] p{a:b}',
    'p:is(table,ul){a:b}',
    'main{a:b;> p{a:b}}',
  ])('keep what names only its elements: %s', (css) => expect(keeps(css)).toBe(css));

  test.each([
    'table{a:b}',
    'main table{a:b}',
    '.card>ul{a:b}',
    '.card:has(.gone){a:b}',
    '.card:has(table){a:b}',
    '::placeholder{a:b}',
    '::-webkit-datetime-edit{a:b}',
    ':-moz-ui-invalid{a:b}',
  ])('leave out what is of other elements: %s', (css) => expect(keeps(css)).toBe(''));

  test('keep what their form may show later, and not what another would', () => {
    const css = '::placeholder{a:b}.field-error{a:b}.drop-zone progress{a:b}.toast p{a:b}';
    expect(pageStyles(css, '<form class="form" action="/api/resume"></form>')).toBe(
      '::placeholder{a:b}.field-error{a:b}.drop-zone progress{a:b}',
    );
    expect(pageStyles(css, '<form action="/api/contact"></form>')).toBe(
      '::placeholder{a:b}.field-error{a:b}.toast p{a:b}',
    );
    expect(pageStyles(css, '<p></p>')).toBe('');
  });

  test('leave out the test for mixed colours, and what comes before for browsers without', () => {
    const css =
      '.card{color:red;a:b;@supports (color:color-mix(in lab, red, red)){color:color-mix(in oklab, red 8%, blue)}}';
    expect(keeps(css)).toBe('.card{a:b;color:color-mix(in oklab, red 8%, blue)}');
    expect(keeps('@supports (a:b){.card{a:b}}')).toBe('@supports (a:b){.card{a:b}}');
  });

  test('leave out animations and custom properties that nothing refers to', () => {
    expect(keeps('@keyframes b{from{a:b}}@keyframes c{from{a:b}}.card{animation:.2s c}')).toBe(
      '@keyframes c{from{a:b}}.card{animation:.2s c}',
    );
    expect(keeps(':root{--a:1;--b:var(--a);--c:2}:root{--d:3}.card{a:var(--c,1px)}')).toBe(
      ':root{--c:2}.card{a:var(--c,1px)}',
    );
  });

  test('keep of a list the selectors that it can use', () => {
    expect(keeps('.gone,.lead{a:b}')).toBe('.lead{a:b}');
  });

  test('are pruned inside rules and media too', () => {
    expect(keeps('.card{a:b;.gone{a:b}.lead{c:d}}')).toBe('.card{a:b;.lead{c:d}}');
    expect(keeps('@media print{.gone{a:b}.lead{c:d}}')).toBe('@media print{.lead{c:d}}');
  });

  test('keep what belongs to no selector', () => {
    const css = '@font-face{font-family:a}@layer base,components;@view-transition{navigation:auto}';
    expect(keeps(css)).toBe(css);
  });
});
