import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mistake, type Finding } from './content/findings.ts';
import { markOnPage } from './content/marks.ts';
import { CONTENT } from './paths.ts';

/** Text between two tags, and attributes that visitors read or hear. */
const TEXT = />([^<]+)|\s(?:alt|aria-label|title|placeholder|content)="([^"]*)"/g;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  nbsp: '\u00A0',
};

/** Returns the texts of a built page, also those of its head. Words in `code` may be markup. */
export const textsOf = (html: string): readonly string[] =>
  [...html.replaceAll(/<!--.*?-->|<(script|style|template|code)\b.*?<\/\1>/gs, '<>').matchAll(TEXT)].map(
    ([, text, attribute = '']) =>
      (text ?? attribute).replaceAll(/&(amp|lt|gt|quot|#x27|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ''),
  );

/** Files whose texts are on several pages. */
const COMMON = ['pages/job.yaml', 'navigation.yaml', 'company.yaml', 'wording.yaml'];

/** Finds marks that no check of the content has found, at the first line that has them. */
export const markMistakes = (file: string, html: string): readonly Finding[] =>
  textsOf(html).flatMap((text) => {
    const found = markOnPage(text);
    if (!found) return [];
    const lineIn = (name: string) => {
      const [before = '', after] = readFileSync(join(CONTENT, name), 'utf8').split(found.words, 2);
      return after === undefined ? 0 : before.split('\n').length;
    };
    const place = [file, ...COMMON].find((name) => lineIn(name) > 0) ?? file;
    return [mistake(place, lineIn(place) || 1, `"${text.trim()}" is on the built page: ${found.mistake}`)];
  });
