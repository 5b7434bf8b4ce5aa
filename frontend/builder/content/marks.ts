import type { WritingMistake } from './yaml-mistakes.ts';

/** Text that looks like markup and is none, with the end of a sentence about it. Visitors would see it. */
type Mark = readonly [pattern: RegExp, advice: string];

export const NO_REMARK = 'is no remark within a text, and would be published: delete it, or write it above the field';

/** A type in angle brackets: a capital, a name such as `String`, or a primitive type. Names of HTML elements are none. */
const TYPE = String.raw`(?:[A-Z]\b|[A-Z][A-Z\d]*[a-z]\w*|any|bool(?:ean)?|byte|char|double|float|int|number|string|void|[iuf]\d+)(?:\[\])?`;

/** Generic types, such as `<T>` or `List<String>`, are words. */
const HTML: readonly Mark[] = [
  [
    RegExp(String.raw`<(?![A-Z](?:, ?[A-Z])*>|(?<=\w<)${TYPE}(?:, ?${TYPE})*>)(?:!--|\/?[A-Za-z][^<>]*>)`),
    'is HTML: write the words, or Markdown such as **bold** or `code` in a sentence',
  ],
  [/&(?:[a-z]{2,}\d*|#\d+|#x[\da-f]+);/i, 'is HTML: type the character itself'],
];

/** A list whose lines were joined. Words such as "1. Mai bis 2. Juni" and "1. und 2. Stock" are none. */
export const JOINED_LIST = /^1[.)] (?=[^]*(?<!,|\s\p{Ll}{1,4})\s2[.)] )/u;

/** Complete Markdown, in fields that have none. A star or underscore within or after a word is none, as in `Preis*`. */
const MARKDOWN: readonly Mark[] = [
  [
    /\*\*[^*]*(?:\*\*)?|\[[^\]]*\]\([^)]*\)?|\]\(|(?<![\p{L}\p{N}\p{Sc}%*])\*[^\s*](?:[^*\n]*[^\s*])?\*(?![\w*])|(?<!\w)_[^\s_](?:[^_\n]*[^\s_])?_(?!\w)|`[^`\n]+`|^[->] (?!\p{Sc}?\d)/u,
    'is Markdown, which visitors would see here: it is possible in sentences only',
  ],
  [JOINED_LIST, 'is Markdown, which visitors would see here: it is possible in sentences only'],
];

/** Address that a link has: of this site, or with a scheme. */
const TO = String.raw`\((?:[/#]|https?:|mailto:|tel:)[^)]*\)?`;

/** Broken or unknown Markdown, in every text. */
const BROKEN: readonly Mark[] = [
  [/\*\*/, 'has no partner: bold words are **bold**, without a space inside the marks'],
  [RegExp(String.raw`\]\s?${TO}|\[[^\]]*${TO}`), 'is no link: write [words](/address), without a space between'],
  [
    /(?<!\w)\[[^\]]+\]\[[^\]]*\]|^\[[^\]^]+\]:\s\S+/m,
    'is a link whose address is in another place: write [words](/address)',
  ],
  [/\[\^[^\]\s]+\]/, 'is a footnote, which no text can have: write the words in brackets'],
  [/^\[[ x]?\](?=\s)/im, 'is a box of a list of tasks, which no text can have: delete it'],
  [/~~/, 'crosses words out, which no text can have: delete the words'],
  [/(?:^|\s)#(?=\s)(?! \d)(?: \S+)?/, NO_REMARK],
  [/#{2,6} ?\S*/, 'is no heading: in a Markdown file, write "## " with a space, on its own line'],
  [/\\(?=\s|$)/, 'breaks no line here: only a Markdown file, or a text that begins with "|-", has lines'],
  [/^\s*\|.+\||^\s*:?-{2,}:?\s*\|/m, 'is a table, which cannot stand here: write each of its rows as a sentence'],
  [
    /(?<=^\s*|[.:;]\s*)[•▪●■◦‣➢]\s/mu,
    'is a bullet from a word processor: write each point on a line that begins with "- "',
  ],
];

/** In sentences, which can have the right marks in their place. */
const UNFINISHED: readonly Mark[] = [
  [
    /(?<![^\s(])\*(?=[^\s*])/,
    'has no partner: stressed words are *stressed*, without a space inside the marks. For the sign, write \\*',
  ],
  [
    /^#(?=[\p{L}_])\S*/mu,
    'is no heading: in a Markdown file, write "## " with a space, on its own line. For the sign, write \\#',
  ],
];
const BARE: readonly Mark[] = [
  [/(?:https?:\/\/|www\.)[^\s)]+/, 'is no link yet: write [words](https://address)'],
  [/[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}/i, 'is no link yet: write [name@firm.example](mailto:name@firm.example)'],
];

/** Rest of two versions that git could not merge. */
const MERGE = /^[ \t]*(?:<{7}|\|{7}|={7}|>{7})(?=\s|$)/m;

/** Controls, letters that another encoding has spoiled, and characters that turn or hide others (Trojan Source). */
const UNSEEN = /[^\P{Cc}\t\n]|[\u200B\u2028\u2029\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/u;
const SPOILED = /\uFFFD|\u00E2\u20AC.?|[\u00C2\u00C3][\u0080-\u00BF]/;

/** Marks that no text of a built page can have outside `code`, wherever it comes from. */
const NEVER: readonly Mark[] = [
  ...HTML,
  [/\*\*|\]\(|##|[<>=|]{4}|[{}]/, 'is markup that visitors see: write the words alone'],
  [SPOILED, 'was spoiled by another encoding: type it again'],
  [UNSEEN, 'is invisible, or turns the direction of the text: delete it'],
];

const firstOf = (marks: readonly Mark[]) => (text: string) => {
  for (const [pattern, advice] of marks) {
    const words = pattern.exec(text)?.[0].trim();
    if (words !== undefined) return { mistake: `${words} ${advice}`, words };
  }
  return undefined;
};

/** Finds what visitors would see as a mark, and not as words. */
export const markOfHtml = firstOf(HTML);
export const markInField = firstOf([...HTML, ...MARKDOWN, ...BROKEN]);
export const markInSentence = firstOf([...HTML, ...BROKEN, ...UNFINISHED, ...BARE]);
export const markInLink = firstOf([...HTML, ...BROKEN, ...UNFINISHED]);
export const markOnPage = firstOf(NEVER);

/** Formats that people save in place of plain text. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^\s*\{\\rtf/, 'RTF'],
  [/^PK\p{Cc}{2}/u, 'a document of a word processor'],
  [/^\s*(?:<!doctype|<html|<\?xml)/i, 'HTML'],
  [/^\s*[[{]\s*["{]/, 'JSON'],
];

/** Finds what no file of the content can hold, in texts, remarks or between them. */
export function unreadable(source: string): WritingMistake | undefined {
  const format = FORMATS.find(([pattern]) => pattern.test(source))?.[1];
  if (format)
    return { offset: 0, message: `is ${format} and no plain text: save it as text (UTF-8), written like the others` };
  const [merge, spoiled, unseen, space] = [MERGE, SPOILED, UNSEEN, /(?<=^[ \t]*)\u00A0/m].map((pattern) =>
    pattern.exec(source),
  );
  if (merge)
    return {
      offset: merge.index,
      message:
        'this is a rest of two versions that were merged: keep one of them, and delete the lines of <<<, === and >>>',
    };
  if (spoiled)
    return {
      offset: spoiled.index,
      message: `"${spoiled[0]}" is a letter that another encoding has spoiled: type it again`,
    };
  if (space) return { offset: space.index, message: 'the line has a no-break space (U+00A0): type its spaces again' };
  const code = unseen?.[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return unseen
    ? { offset: unseen.index, message: `the line has an invisible character (U+${code}): type it again` }
    : undefined;
}
