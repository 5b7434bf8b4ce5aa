import { visit, type Document, type YAMLParseError } from 'yaml';

/** A mistake of writing, in words for people who do not know YAML. */
export interface WritingMistake {
  /** Where it stands in the source. */
  readonly offset: number;
  readonly message: string;
}

/** `  - heading: words`: blanks and dash, name, value. */
const FIELD = /^(\s*(?:- +)*)([\w-]+): +(.*)$/;

/** The beginning of a line with a field, whatever its value. */
const FIELD_START = /^(\s*(?:- +)*)[\w-]+:(?:\s|$)/;

/** What a value cannot begin with unless it is in quotes. */
const SPECIAL = /^[{[*&!>|@%`?#-]/;

/**
 * What is wrong with how a file is written. Only the first thing that the parser stumbles over: the others mostly follow
 * from it. Then what it reads without a word, and not as it was meant.
 */
export function yamlMistakes(document: Document.Parsed, source: string): readonly WritingMistake[] {
  const [error] = document.errors;
  return error ? [explain(error, source)] : misread(document, source);
}

function explain({ code, message, pos: [at] }: YAMLParseError, source: string): WritingMistake {
  const lines = source.split('\n');
  const index = source.slice(0, at).split('\n').length - 1;
  const mistake = (text: string, line = index) => ({ offset: offsetOf(lines, line), message: text });
  const line = lines[index] ?? '';
  if (/^(?:<{7}|={7}|>{7})/m.test(source))
    return mistake(
      'this is a rest of two versions that were merged: keep one of them, and delete the lines of <<<, === and >>>',
      lines.findIndex((text) => /^(?:<{7}|={7}|>{7})/.test(text)),
    );
  if (code === 'TAB_AS_INDENT') return mistake('the line begins with a tab: use blanks, two for each step');
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

/** By what the line looks like: the parser's own word is often about what follows from it. */
function explainLine(lines: readonly string[], index: number): WritingMistake | undefined {
  const mistake = (message: string, line = index) => ({ offset: offsetOf(lines, line), message });
  const line = lines[index] ?? '';
  const [, lead = '', name = '', value = ''] = FIELD.exec(line) ?? [];
  const words = name ? value : line.replace(/^\s*(?:- +)*/, '');
  const what = name || 'this';
  const inQuotes = (name && `${name}: `) + quoted(words);
  if (/^["']/.test(words)) return mistake(`${what} has a quote within its text: write ${inQuotes}`);
  if (SPECIAL.test(words)) return mistake(`${what} begins with ${words[0]}, which needs quotes: write ${inQuotes}`);
  if (/: /.test(value)) return mistake(`${what} has a colon within its text, which needs quotes: write ${inQuotes}`);

  const above = lines.slice(0, index).findLast((text) => text.trim() !== '') ?? '';
  const begins = new Set(lines.slice(0, index).map((text) => FIELD_START.exec(text)?.[1]?.length));
  if (FIELD_START.test(line) && lead.length < blanks(above) && !begins.has(blanks(line)))
    return mistake(
      `${nameIn(line)} begins after ${blanks(line)} blank(s), and no field above does (the last one: ${blanks(above)})`,
    );
  const next = lines[index + 1] ?? '';
  if (name && FIELD.test(next) && blanks(next) > lead.length)
    return mistake(
      `${nameIn(next)} begins after ${blanks(next)} blanks; the field above after ${lead.length}`,
      index + 1,
    );
  if (/^\s*[\w-]+:\S/.test(line)) return mistake(`write a blank after the colon: ${line.trim().replace(':', ': ')}`);
  if (FIELD_START.test(line))
    return mistake(`${nameIn(line)} begins after ${blanks(line)} blank(s); the line above after ${blanks(above)}`);
  return mistake(
    'this is no field ("name: words"): a text of several lines begins with ">-" after its name, and its lines stand two blanks further right',
  );
}

/** What YAML reads as something else than words, without an error. */
function misread(document: Document.Parsed, source: string): readonly WritingMistake[] {
  const mistakes: WritingMistake[] = [];
  visit(document, {
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
        refuse(`${name} begins with ${value?.[0]}, which needs quotes: write ${name}: ${quoted(value ?? '')}`);
      if (!('type' in node) || node.type !== 'PLAIN') return;
      const cut = /^[ \t]*#[^\n]*/.exec(source.slice(end))?.[0];
      if (cut !== undefined)
        refuse(
          `the text ends before "${cut.trim()}", which counts as a remark: put the whole text in quotes, or the remark on its own line`,
        );
      const item = /\n\s*- /.exec(source.slice(start, end));
      if (item)
        mistakes.push({
          offset: start + item.index + 1,
          message: 'this counts as a part of the text above: give the "- " of all items the same blanks',
        });
    },
  });
  return mistakes;
}

const blanks = (line: string) => /^ */.exec(line)?.[0].length ?? 0;
const nameIn = (line: string) => /[\w-]+/.exec(line)?.[0] ?? line;

const offsetOf = (lines: readonly string[], line: number) =>
  lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);

/** Whether a value begins with a quote, and no such quote ends it. */
const hasOpenQuote = (value: string) => /^(["'])(?:(?!\1).)*$/.test(value);

/** A text in quotes that are not in it. */
function quoted(text: string): string {
  const [, quote = '', inner = ''] = /^(["'])(.*)\1$/.exec(text) ?? [];
  // An apostrophe within, and not two words that are each in quotes.
  const words = quote && inner.split(quote).length % 2 === 0 ? inner : text;
  return words.includes("'") ? `"${words.replaceAll('"', '\\"')}"` : `'${words}'`;
}
