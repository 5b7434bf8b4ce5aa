import { brotliCompressSync } from 'node:zlib';
import { LOCALE } from '../../form-service/src/contract/locale.ts';
import { withUnits } from './units.ts';

const format = new Intl.NumberFormat(LOCALE, {
  style: 'unit',
  unit: 'kilobyte',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  useGrouping: false,
});
const kilobytes = (bytes: number) => withUnits(format.format(bytes / 1000));
const sent = (text: string) => brotliCompressSync(text).length;

/**
 * Fills measured sizes into the pages: `{measured.page}` is the size of the largest page as it is sent, with inline script
 * and the style sheet of all pages. `{measured.script}` is the size of all script that a page loads before a form is
 * touched.
 */
export function withMeasured(
  pages: ReadonlyMap<string, string>,
  { sheet, scripts }: { readonly sheet: string; readonly scripts: readonly string[] },
): Map<string, string> {
  const measured = {
    '{measured.page}': kilobytes(Math.max(...[...pages.values()].map(sent)) + sent(sheet)),
    '{measured.script}': kilobytes(scripts.map(sent).reduce((sum, size) => sum + size, 0)),
  };
  const fill = (html: string) =>
    Object.entries(measured).reduce((filled, [name, value]) => filled.replaceAll(name, value), html);
  return new Map([...pages].map(([file, html]) => [file, fill(html)]));
}
