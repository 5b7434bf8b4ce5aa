import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

/** Words of visitors, sales and HR are in `frontend/content/wording.yaml`. */

const SOURCE = new URL('..', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, SOURCE), 'utf8');
const filesIn = (...patterns: string[]) =>
  globSync(patterns, { cwd: SOURCE }).filter((file) => !/\.(?:test|integration)\.ts$/.test(file));

/** Attributes that people read or hear. */
const READ = /\s(?:alt|aria-label|placeholder|title)="([^"]*)"/g;

/** Returns what a template says by itself. Single letters are keys of the keyboard. */
function textIn(template: string): readonly string[] {
  const source = template.replace(/<!--[^]*?-->|<style>[^]*?<\/style>|\{\{[^}]*\}\}|var\([\w-]+\)|&[#\w]+;/g, ' ');
  const attributes = [...source.matchAll(READ)].map(([, text]) => text);
  return [...attributes, source.replace(/<[^>]*>/g, ' ')].flatMap((text = '') => text.match(/\p{L}{2,}/gu) ?? []);
}

/** Literals that nobody but programs reads. */
const OF_PROGRAMS = new Set([
  "'Malformed part header'",
  '`inbox session key of ${name}`',
  '`${BRAND_NAME} has no ${name}`',
]);

const SENTENCE = /\p{Lu}\p{Ll}+,? \p{L}|\} \p{Ll}+(?: |`)|[`\p{L}] (?:\p{Ll}+ )+\$\{|\p{Ll}[.?!]['"`]$/u;
const LABEL = /^['"`]\p{Lu}\p{Ll}+['"`]$/u;

/** Returns the literals of a source that are, or begin, a sentence; those of a page or mail also if they are a label. */
function wordsIn(file: string): readonly string[] {
  const source = read(file);
  const code = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*|^import [^]*?;$|help: '.*'/gm, '');
  const literals = code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`/g) ?? [];
  const isShown = /(?:pages?|mail|labels)\.ts$/.test(file);
  return literals.filter(
    (literal) => !OF_PROGRAMS.has(literal) && (SENTENCE.test(literal) || (isShown && LABEL.test(literal))),
  );
}

it('no template > has a text of its own', () => {
  const templates = filesIn('**/*.html', 'mail/**/*.txt');
  expect(templates.length).toBeGreaterThan(15);
  expect(templates.flatMap((file) => textIn(read(file)).map((text) => `${file}: ${text}`))).toEqual([]);
});

it('no page, mail or error > has a sentence in its code', () => {
  const sources = filesIn('{http,inbox,intake,sign-in}/**/*.ts', 'mail/mails/*.ts', 'submissions/labels.ts');
  expect(sources.length).toBeGreaterThan(30);
  expect(sources.flatMap((file) => wordsIn(file).map((text) => `${file}: ${text}`))).toEqual([]);
});
