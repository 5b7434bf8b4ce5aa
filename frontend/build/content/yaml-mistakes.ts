import { visit, type Document, type YAMLParseError } from 'yaml';

/** A mistake in the content, as its writer is told of it. */
export interface Mistake {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A mistake of writing, in words for people who do not know YAML. */
export interface WritingMistake {
  /** Where it stands in the source. */
  readonly offset: number;
  readonly message: string;
}

/** `  - heading: words`: spaces and dash, name, value. */
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

  const isItem = /^\s*- /.test(line);
  const above = lines.slice(0, index).findLast((text) => (isItem ? /^\s*- /.test(text) : text.trim() !== '')) ?? '';
  const begins = new Set(lines.slice(0, index).map((text) => FIELD_START.exec(text)?.[1]?.length));
  if (FIELD_START.test(line) && lead.length < spaces(above) && !begins.has(spaces(line)))
    return mistake(`${placed(line)}, and no field above has; the last one has ${spaces(above)}`);
  const next = lines[index + 1] ?? '';
  if (name && FIELD.test(next) && spaces(next) > lead.length)
    return mistake(`${placed(next)}; the field above has ${lead.length}`, index + 1);
  if (/^\s*[\w-]+:\S/.test(line)) return mistake(`write a space after the colon: ${line.trim().replace(':', ': ')}`);
  if (FIELD_START.test(line))
    return mistake(`${placed(line)}; the ${isItem ? 'item' : 'line'} above has ${spaces(above)}`);
  return mistake(
    'this is no field ("name: words"): a text of several lines begins with ">-" after its name, and each of its lines has two spaces more before it than the name',
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
          message:
            'this counts as a part of the text above: give all items the same number of spaces before their "- "',
        });
    },
  });
  return mistakes;
}

const spaces = (line: string) => /^ */.exec(line)?.[0].length ?? 0;
const nameIn = (line: string) => /\w[\w-]*/.exec(line)?.[0] ?? line;
const placed = (line: string) =>
  `${nameIn(line)} has ${spaces(line)} ${spaces(line) === 1 ? 'space' : 'spaces'} before it`;

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
