import { isScalar, visit, type Document, type YAMLParseError } from 'yaml';
import { NO_REMARK } from './marks.ts';

/** A YAML mistake, explained to people who do not know YAML. */
export interface WritingMistake {
  /** Position in the source. */
  readonly offset: number;
  readonly message: string;
}

/** `  - heading: words`: spaces and dash, name, value. */
const FIELD = /^(\s*(?:- +)*)([\w-]+): +(.*)$/;

/** Beginning of a line with a field. */
const FIELD_START = /^(\s*(?:- +)*)[\w-]+:(?:\s|$)/;

/** Characters with which a value may begin only in quotes. */
const SPECIAL = /^[{[*&!>|@%`?#-]/;

/** No-break space where YAML expects spaces. */
const NO_BREAK = /(?<=^[ -]*(?:[\w-]+: *)?)\u00A0/gm;

/**
 * Returns the YAML mistakes of a file: the first syntax error, because the others mostly follow from it, or else text that
 * YAML silently misreads.
 */
export function yamlMistakes(document: Document.Parsed, source: string): readonly WritingMistake[] {
  const blocks = blocksOf(document);
  const space = [...source.matchAll(NO_BREAK)].find(
    ({ index }) => !blocks.some(([start, end]) => index > start && index < end),
  );
  if (space) return [{ offset: space.index, message: 'the line has a no-break space (U+00A0): type its spaces again' }];
  const [error] = document.errors;
  return error ? [explain(error, source)] : misread(document, source);
}

/** Ranges of the texts that begin with `>` or `|`, in which a colon is a word's. */
function blocksOf(document: Document.Parsed): readonly (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  visit(document, {
    Scalar(_key, { type, range }) {
      if (type?.startsWith('BLOCK') && range) ranges.push([range[0], range[1]]);
    },
  });
  return ranges;
}

function explain({ code, message, pos: [at] }: YAMLParseError, source: string): WritingMistake {
  const lines = source.split('\n');
  const index = source.slice(0, at).split('\n').length - 1;
  const mistake = (text: string, line = index) => ({ offset: offsetOf(lines, line), message: text });
  const line = lines[index] ?? '';
  if (code === 'TAB_AS_INDENT') return mistake('the line begins with a tab: use spaces, two for each step');
  if (code === 'DUPLICATE_KEY') return mistake(`${nameIn(line)} stands here twice: keep one`);
  if (code === 'MULTIPLE_DOCS') return mistake('--- cannot stand here');
  if (/^Missing closing .quote/.test(message)) {
    const open = lines.findIndex((text) => hasOpenQuote(FIELD.exec(text)?.[3] ?? text.replace(/^\s*(?:- +)*/, '')));
    return mistake(
      `${nameIn(lines[open] ?? '')} begins with a quote that does not end: write the same one at the end of the text`,
      Math.max(0, open),
    );
  }
  return explainLine(lines, index) ?? mistake((message.split('\n')[0] ?? '').replace(/ at line \d+.*/, ''));
}

/** Explains an error by the look of its line, because the parser often reports a consequence. */
function explainLine(lines: readonly string[], index: number): WritingMistake | undefined {
  const mistake = (message: string, line = index) => ({ offset: offsetOf(lines, line), message });
  const line = lines[index] ?? '';
  const [, lead = '', name = '', value = ''] = FIELD.exec(line) ?? [];
  const words = name ? value : line.replace(/^\s*(?:- +)*/, '');
  const what = name || 'this';
  const inQuotes = (name && `${name}: `) + quote(words);
  if (/^\s*(?:- +)*[\w-]+：/.test(line))
    return mistake('the line has a full-width colon (：): write the one of the keyboard, and a space after it');
  if (/^["']/.test(words)) return mistake(`${what} has a quote within its text: write ${inQuotes}`);
  if (SPECIAL.test(words)) return mistake(`${what} begins with ${words[0]}, which needs quotes: write ${inQuotes}`);
  if (/: /.test(value)) return mistake(`${what} has a colon within its text, which needs quotes: write ${inQuotes}`);

  const isItem = /^\s*- /.test(line);
  const above = lines.slice(0, index).findLast((text) => (isItem ? /^\s*- /.test(text) : text.trim() !== '')) ?? '';
  const begins = new Set(lines.slice(0, index).map((text) => FIELD_START.exec(text)?.[1]?.length));
  if (FIELD_START.test(line) && lead.length < spaces(above) && !begins.has(spaces(line)))
    return mistake(`${describeIndent(line)}, and no field above has; the last one has ${spaces(above)}`);
  const next = lines[index + 1] ?? '';
  if (name && FIELD.test(next) && spaces(next) > lead.length)
    return mistake(`${describeIndent(next)}; the field above has ${lead.length}`, index + 1);
  if (/^\s*[\w-]+:\S/.test(line)) return mistake(`write a space after the colon: ${line.trim().replace(':', ': ')}`);
  if (FIELD_START.test(line))
    return mistake(`${describeIndent(line)}; the ${isItem ? 'item' : 'line'} above has ${spaces(above)}`);
  return mistake(
    'this is no field ("name: words"): a text of several lines begins with ">-" after its name, and each of its lines has two spaces more before it than the name',
  );
}

/** Finds text that YAML reads as something else, without an error. */
function misread(document: Document.Parsed, source: string): readonly WritingMistake[] {
  const mistakes: WritingMistake[] = [];
  visit(document, {
    Pair(_key, { key }) {
      if (!isScalar(key) || !(String(key.value) in {})) return;
      const name = String(key.value);
      mistakes.push({
        offset: key.range?.[0] ?? 0,
        message: `${name} cannot be the name of a field: choose another one`,
      });
    },
    Node(_key, node) {
      const [start = 0, end = 0] = 'range' in node && node.range ? node.range : [];
      const refuse = (message: string) => mistakes.push({ offset: start, message });
      const lineStart = source.lastIndexOf('\n', start - 1) + 1;
      const line = source.slice(lineStart, source.indexOf('\n', start) < 0 ? undefined : source.indexOf('\n', start));
      const [, , name, value] = FIELD.exec(line) ?? [];
      if (
        ('anchor' in node && node.anchor) ||
        ('tag' in node && typeof node.tag === 'string' && /^[&!*]/.test(value ?? ''))
      )
        refuse(`${name} begins with ${value?.[0]}, which needs quotes: write ${name}: ${quote(value ?? '')}`);
      if (!('type' in node) || !isScalar(node)) return;
      if (node.type !== 'PLAIN') {
        // The words after the first line break, because the first line of a block has its mark only.
        const remark = /\n[ \t]*(#(?![\d#]).*)/.exec(source.slice(start, end));
        if (remark)
          mistakes.push({
            offset: start + remark.index + 1,
            message: `"${remark[1]}" ${NO_REMARK}`,
          });
        return;
      }
      if (/^(?:null|~)$/i.test(String(node.value)))
        refuse(`${node.value} would be published as a word: delete the field, or put the word in quotes`);
      const cut = /^[ \t]*#[^\n]*/.exec(source.slice(end))?.[0];
      if (cut !== undefined)
        refuse(
          `the text ends before "${cut.trim()}", which counts as a remark: put the whole text in quotes, or the remark on its own line`,
        );
      const item = /\n\s*- /.exec(source.slice(start, end));
      if (item)
        mistakes.push({
          offset: start + item.index + 1,
          message:
            'this counts as a part of the text above: give all items the same number of spaces before their "- "',
        });
    },
  });
  return mistakes;
}

const spaces = (line: string) => /^ */.exec(line)?.[0].length ?? 0;
const nameIn = (line: string) => /\w[\w-]*/.exec(line)?.[0] ?? line;
const describeIndent = (line: string) =>
  `${nameIn(line)} has ${spaces(line)} ${spaces(line) === 1 ? 'space' : 'spaces'} before it`;

const offsetOf = (lines: readonly string[], line: number) =>
  lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);

/** Whether a value begins with a quote that does not end. */
const hasOpenQuote = (value: string) => /^(["'])(?:(?!\1).)*$/.test(value);

/** Puts a text in quotes that it does not contain. */
function quote(text: string): string {
  const [, quote = '', inner = ''] = /^(["'])(.*)\1$/.exec(text) ?? [];
  // An odd number of quotes within is an apostrophe, not a second quoted word.
  const words = quote && inner.split(quote).length % 2 === 0 ? inner : text;
  return words.includes("'") ? `"${words.replaceAll('"', '\\"')}"` : `'${words}'`;
}
