import { reminder, type Finding } from './findings.ts';
import type { ParsedFile } from './parse-file.ts';
import type { WritingMistake } from './yaml-mistakes.ts';

/** Text that looks like markup, which visitors would see, with the end of a sentence about it. */
type Mark = readonly [pattern: RegExp, advice: string];

const TAGS = 'a|b|br|div|em|h[1-6]|hr|i|img|li|ol|p|pre|script|span|strong|style|su[bp]|table|t[dhr]|u|ul';
/** Controls, letters that another encoding has spoiled, and characters that turn or hide others (Trojan Source). */
const UNSEEN =
  /[^\P{Cc}\t\n]|[\u200B\u2028-\u202E\u2060\u2066-\u2069\uFEFF\uFFFD]|\u00E2\u20AC|[\u00C2\u00C3][\u0080-\u00BF]/u;

/** In every text: in a field without markup, and in what Markdown has left as words. */
const EVERYWHERE: readonly Mark[] = [
  [RegExp(String.raw`<\/?(?:${TAGS})\b[^<>]*>|<!--|&(?:[a-z]{2,}|#x?[\da-f]+);`, 'i'), 'is HTML: write the words'],
  [
    /\*\*|~~|`[^`]+`|\]\s?\(|\]\[[\w ]*\]|\[\^|^\[[^\]]+\]:\s|^\[[ x]?\]\s|(?:^|\s)#\s(?!\d)|#{2}|^\s*\|.*\|/im,
    'is Markdown that does not work here, so visitors would see it',
  ],
  [/[•▪●■◦‣➢]\s/u, 'is a bullet of a word processor: write each point on a line that begins with "- "'],
];
const IN_FIELD: readonly Mark[] = [
  ...EVERYWHERE,
  [
    /(?<![\w*\p{Sc}])[*_][^\s*_][^*_\n]*[*_](?!\w)|^[->] (?!\p{Sc}?\d)|^1[.)] .* 2[.)] /u,
    'is Markdown, which works in sentences only',
  ],
];
const IN_SENTENCE: readonly Mark[] = [
  ...EVERYWHERE,
  [/(?<![^\s(])\*(?=\S)/, 'has no partner: stressed words are *stressed*. For the sign, write \\*'],
];
const BARE: Mark = [
  /(?:https?:\/\/|www\.)[^\s)]+|[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}/i,
  'is no link yet: write [words](https://address)',
];

const firstOf = (marks: readonly Mark[]) => (text: string) => {
  for (const [pattern, advice] of marks) {
    const words = pattern.exec(text)?.[0].trim();
    if (words !== undefined) return { mistake: `${words} ${advice}`, words };
  }
  return undefined;
};

/** Finds what visitors would see as a mark, and not as words. */
export const markInField = firstOf(IN_FIELD);
export const markInSentence = firstOf([...IN_SENTENCE, BARE]);
export const markInLink = firstOf(IN_SENTENCE);

/** Words that writers put in place of a text that they have not written yet. */
const UNWRITTEN = /\b(?:TODO|FIXME)\b|\blorem ipsum\b|^(?:[-*] )?(?:todo|tbd|tba|xxx|undefined|nan)$/i;

/** Returns the reminders of texts that are not written yet. */
export function unwrittenTexts({ file, values, body, linesBefore }: ParsedFile): readonly Finding[] {
  const found: Finding[] = [];
  const look = (text: string, lineOf: (words: string) => number) => {
    const words = UNWRITTEN.exec(text)?.[0];
    if (words) found.push(reminder(file, lineOf(words), `"${text.trim()}" is still a stand-in: write the text`));
    return text;
  };
  values(look);
  for (const [index, line] of body.split('\n').entries()) look(line, () => linesBefore + index + 1);
  return found;
}

/** Finds what no file of the content can hold: another format, versions that were not merged, letters of no language. */
export function unreadable(source: string): WritingMistake | undefined {
  if (/^\s*\{\\rtf|^PK\p{Cc}{2}|^\s*(?:<!doctype|<html|<\?xml)|^\s*[[{]\s*["{]/iu.test(source))
    return { offset: 0, message: 'is no plain text: save it as text (UTF-8), written like the others' };
  const merge = /^[ \t]*(?:<{7}|\|{7}|={7}|>{7})(?=\s|$)/m.exec(source);
  if (merge)
    return { offset: merge.index, message: 'this is a rest of two versions that were merged: keep one of them' };
  const unseen = UNSEEN.exec(source) ?? /(?<=^[ -]*(?:[\w-]+: *)?)\u00A0/m.exec(source);
  const code = unseen?.[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return unseen
    ? { offset: unseen.index, message: `the line has a character that nobody sees (U+${code}): type it again` }
    : undefined;
}
