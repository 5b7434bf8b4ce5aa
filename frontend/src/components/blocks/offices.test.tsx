import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { company, pages } from 'virtual:content';
import type { SectionOf } from 'virtual:content';
import { Offices } from './offices.tsx';

test.each([
  ['DE', '20095 Hamburg, '],
  ['GB', 'Hamburg 20095, '],
])('an office has its postal code where the country writes it > %s', (countryCode, line) => {
  const html = officeHtml({ countryCode, locality: 'Hamburg', postalCode: '20095' });
  expect(html).toContain(`>${line}`);
});

/** Renders the offices, the first of which has these facts. */
function officeHtml(facts: Partial<(typeof company.offices)[number]>): string {
  const sections = pages.flatMap((page) => page.sections);
  const section = sections.find((one): one is SectionOf<'offices'> => one.kind === 'offices');
  const [office] = company.offices;
  if (!section || !office) throw new Error('no page has offices');
  const before = { ...office };
  Object.assign(office, facts);
  const html = renderToStaticMarkup(<Offices section={section} />);
  Object.assign(office, before);
  return html;
}

test.each([
  ['+49 (0)40 555 0123', 'tel:+49405550123'],
  ['0049 (0)40/555 0123', 'tel:+49405550123'],
  ['+44 20 7946 0018 ext. 12', 'tel:+442079460018;ext=12'],
  ['(020) 7946 0018', 'tel:02079460018'],
])('an office can be called at %s', (phone, url) => {
  expect(officeHtml({ phone })).toContain(`href="${url}"`);
});
