import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { company, pages } from 'virtual:content';
import type { SectionOf } from 'virtual:content';
import { Offices } from './offices.tsx';

test.each([
  ['+49 (0)40 555 0123', 'tel:+49405550123'],
  ['0049 (0)40/555 0123', 'tel:+49405550123'],
  ['+44 20 7946 0018 ext. 12', 'tel:+442079460018;ext=12'],
  ['(020) 7946 0018', 'tel:02079460018'],
])('an office can be called at %s', (phone, url) => {
  const sections = pages.flatMap((page) => page.sections);
  const section = sections.find((one): one is SectionOf<'offices'> => one.kind === 'offices');
  const [office] = company.offices;
  if (!section || !office) throw new Error('no page has offices');
  const typed = office.phone;
  Object.assign(office, { phone });
  const html = renderToStaticMarkup(<Offices section={section} />);
  Object.assign(office, { phone: typed });
  expect(html).toContain(`href="${url}"`);
});
