import { ENCLOSES, LAUNCHES, SCRIPTS } from './warnings.ts';

/** A stream of compressed objects (ISO 32000-1, 7.5.7). */
const OBJECT_STREAM = 'ObjStm';

/**
 * Names that give an active document away, and what HR is told. `OpenAction` is none of them: it is how an ordinary
 * document says which page it opens at, and what it could start has one of these names.
 */
const ACTIVE = new Map([
  ['JavaScript', SCRIPTS],
  ['JS', SCRIPTS],
  ['Launch', LAUNCHES],
  ['EmbeddedFile', ENCLOSES],
  ['EmbeddedFiles', ENCLOSES],
]);

/** What stands before a name as a key or a value; a developer's "HTML/JavaScript" is text. */
const BEFORE = String.raw`(?:[\0\s)<>[\]{}%]|\/S|\/#53|\/Type|\d R)`;

/** A name ends at a delimiter: `/JSX` is another. Chance makes two letters out of packed bytes, so `/JS` needs its operand. */
const DELIMITER = String.raw`(?=[\0\s()<>[\]{}/%])`;
const OPERAND = String.raw`(?=\s{0,8}[(<]|\s{1,8}\d)`;

const NAME = new RegExp(`/(?<=${BEFORE}/)(?:(${written('JS')})${OPERAND}|(${[...ACTIVE.keys(), OBJECT_STREAM].filter((name) => name !== 'JS').map(written).join('|')})${DELIMITER})`, 'y');

const SLASH = 0x2f;
/** What may follow the slash. */
const FIRST = new Set([...ACTIVE.keys(), OBJECT_STREAM, '#'].map((name) => name.charCodeAt(0)));

/** Bytes before a name, and longest way to write one with its operand, that must be seen to recognise it. */
export const BEFORE_BYTES = 5;
export const NAME_MAX_BYTES = 64;

export interface FoundNames {
  readonly warnings: ReadonlySet<string>;
  /** Where the names of object streams end. */
  readonly objectStreams: readonly number[];
}

/** The names that begin from `start` to before `end` in a piece of a PDF. Reads as text only what begins like one of them. */
export function namesIn(piece: Buffer, start = 0, end = piece.length): FoundNames {
  const warnings = new Set<string>();
  const objectStreams: number[] = [];
  for (let at = piece.indexOf(SLASH, start); at >= 0 && at < end; at = piece.indexOf(SLASH, at + 1)) {
    if (!FIRST.has(piece[at + 1] ?? 0)) continue;
    const from = Math.max(0, at - BEFORE_BYTES);
    NAME.lastIndex = at - from;
    const match = NAME.exec(piece.toString('latin1', from, at + NAME_MAX_BYTES));
    if (!match) continue;
    const { 0: whole, 2: other } = match;
    const warning = ACTIVE.get(other === undefined ? 'JS' : read(other));
    if (warning === undefined) objectStreams.push(at + whole.length);
    else warnings.add(warning);
  }
  return { warnings, objectStreams };
}

/** A pattern for a name in all its spellings: each letter may be `#` and two hexadecimal digits (7.3.5). */
function written(name: string): string {
  return [...name].map((letter) => `(?:${letter}|#${hexOf(letter)})`).join('');
}

function hexOf(letter: string): string {
  return [...letter.charCodeAt(0).toString(16)].map((digit) => (digit >= 'a' ? `[${digit}${digit.toUpperCase()}]` : digit)).join('');
}

function read(spelling: string): string {
  return spelling.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
