import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CONTENT_FOLDER, CONTENT_NAME } from './content-folder.ts';

export const WORDS_NAME = `${CONTENT_NAME}/wording.yaml`;
/** File with all words, which writers edit. */
export const WORDS_FILE = new URL('wording.yaml', CONTENT_FOLDER);
/** Copy of the file as of the service's build, next to the compiled code. Source code has none. */
const BUILT_FILE = new URL('../wording.yaml', import.meta.url);

/** A text with places in braces, such as `Your reference is {reference}.` */
type Template = string;

/** Words of a field. */
export interface FieldWords {
  readonly label: string;
  /** Hint at the control. */
  readonly hint?: string;
  /** Error for a value that is missing or too short, in place of the one for all fields. */
  readonly missing?: string;
  /** Error for a value of the wrong kind, in place of the one for its control. */
  readonly invalid?: string;
  /** First entry of a select box, which chooses nothing. */
  readonly choose?: string;
  /** Values to choose from, unless the form's rule has them. */
  readonly options?: readonly string[];
}

/** Words of one form. */
export interface FormWords {
  readonly title: string;
  readonly submit: string;
  /** Label of the button while the form is sent. */
  readonly sending: string;
  readonly sent: string;
  readonly sentDetail: string;
  readonly failed: string;
  readonly failedDetail: Template;
  /** Label of the progress bar of a file. */
  readonly uploading?: string;
  /** Notices of a form in a dialog that was closed before everything was sent, or before the answer. */
  readonly notSent?: string;
  readonly unanswered?: string;
  /** Heading of the confirmation in place of the fields, what happens next, and the button to another submission. */
  readonly confirmation?: string;
  readonly next?: readonly { readonly when: string; readonly what: string }[];
  readonly another?: string;
  /** Nouns of staff for a submission, several of them, and their topic. */
  readonly noun: string;
  readonly nouns: string;
  readonly topic?: string;
  /** Text for staff in place of a topic that the visitor left empty. */
  readonly withoutTopic?: string;
  /** Subject of an answer to the visitor, and the one without a topic. */
  readonly answer: Template;
  readonly answerWithoutTopic?: string;
  readonly fields: Readonly<Record<string, FieldWords>>;
}

/** Words that all forms share. */
export const COMMON_WORDS = [
  'required',
  'requiredMark',
  'optional',
  'stillNeeded',
  'reference',
  'invalidInput',
  'invalidEmail',
  'invalidDate',
  'invalidNumber',
  'tooLong',
  'controlCharacters',
  'characterLeft',
  'charactersLeft',
  'characterTooMany',
  'charactersTooMany',
  'submissionFailed',
  'offline',
  'noAnswer',
  'foreignAnswer',
  'close',
  'notifications',
  'cancel',
  'leaveEmpty',
  'chooseFile',
  'removeFile',
  'resumeTooLarge',
  'resumeWrongType',
  'resumeEmpty',
  'resumeSaveAsPdf',
  'resumeDamaged',
  'resumeHasPassword',
  'resumeChanged',
] as const;

export type CommonWords = Readonly<Record<(typeof COMMON_WORDS)[number], string>>;

/** Places of the shared words that have some. */
const COMMON_PLACES: Readonly<Record<string, readonly string[]>> = {
  reference: ['reference'],
  tooLong: ['path', 'max'],
  characterLeft: ['count'],
  charactersLeft: ['count'],
  characterTooMany: ['count'],
  charactersTooMany: ['count'],
} satisfies Partial<Record<keyof CommonWords, readonly string[]>>;

/** Returns what is wrong with the places of a shared word. It may leave out a number, such as "one character left". */
export const wrongCommonPlace = (name: string, text: string): string | undefined =>
  wrongPlace(text, COMMON_PLACES[name] ?? [], 'one');

/** Returns what is wrong with the places of a text. A plural form may leave out the number, such as "one day". */
export function wrongPlace(text: string, places: readonly string[], form = 'other'): string | undefined {
  if (text.includes('{{')) return 'has {{: a place has one brace on each side';
  const named = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const unknown = named.find((name) => !places.includes(name));
  if (unknown !== undefined) return `has no value for {${unknown}}`;
  const missing = places.find((place) => !named.includes(place) && !(place === 'count' && form !== 'other'));
  return missing && `needs {${missing}}`;
}

/** Words that every form has. */
export const FORM_WORDS = [
  'title',
  'submit',
  'sending',
  'sent',
  'sentDetail',
  'failed',
  'failedDetail',
  'noun',
  'nouns',
  'answer',
  'fields',
] as const satisfies readonly (keyof FormWords)[];

type Words = Readonly<Record<string, FormWords | CommonWords>>;

let words: Words | undefined;

/** Paths of the words that are those of the build, or the mistake of the file. */
export const replacedWords: string[] = [];

/**
 * Reads one block of the file, with the figures of the company.yaml next to it. All blocks would take most of the time of
 * a start.
 *
 * @returns undefined if the file has no such block
 * @throws Error with the mistake in one line
 */
export function readBlock(name: string, file = WORDS_FILE): unknown {
  return parseBlock(name, file, (_key, value) => (typeof value === 'string' ? fillFigures(value, file) : value));
}

/** Names of figures have a dot, which the places of a text have not. */
const FIGURE = /\{figures\.(\w+)\}/g;

/** Fills in figures such as `{figures.response}`. A text that names an unknown one is empty, as if it was missing. */
function fillFigures(text: string, file: URL): string {
  if (!text.includes('{figures.')) return text;
  const company = new URL('company.yaml', file);
  const figures = existsSync(company) ? parseBlock('figures', company) : undefined;
  const filled = text.replaceAll(FIGURE, (place, name: string) =>
    isObject(figures) ? String(figures[name] ?? place) : place,
  );
  return filled.includes('{figures.') ? '' : filled;
}

function parseBlock(name: string, file: URL, revive = (_key: unknown, value: unknown) => value): unknown {
  return withFile(() => {
    const source = readFileSync(file, 'utf8');
    const start = source.search(new RegExp(`^${name}:`, 'm'));
    if (start < 0) return undefined;
    const [block = ''] = source.slice(start).split(/^(?=[^\s#])/m);
    // Empty lines in place of those before, so that mistakes have the line of the file.
    const content: unknown = parse(source.slice(0, start).replace(/.+/g, '') + block, revive, { schema: 'failsafe' });
    return isObject(content) ? content[name] : undefined;
  });
}

/** Puts the name of the file before the mistake of an error. */
export function withFile<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const [mistake = ''] = (error as Error).message.split('\n');
    throw new Error(`${WORDS_NAME}: ${mistake.replace(/:$/, '')}`, { cause: error });
  }
}

/** Whether a text can be used, or can be missing. */
type Fits = (text: unknown, path: string) => boolean;

/**
 * Reads one block of the file. Words of the build take the place of missing ones, and of those that do not fit or are
 * of another kind: the file can be of another version. Optional words are left out instead.
 */
export function readCompleteBlock(name: string, fits: Fits, file = WORDS_FILE, builtFile = BUILT_FILE): unknown {
  if (!existsSync(builtFile)) return readBlock(name, file);
  const built = { [name]: readBlock(name, builtFile) };
  try {
    return complete({ [name]: readBlock(name, file) }, built, fits)[name];
  } catch (error) {
    noteReplaced((error as Error).message);
    return built[name];
  }
}

function complete(own: Block, built: Block, fits: Fits, path = ''): Block {
  const found: Record<string, unknown> = { ...own };
  for (const [name, other] of Object.entries(built)) {
    const word = own[name];
    const kind = kindOf(other);
    const at = `${path}${name}`;
    if (kind === 'block' && kindOf(word) === 'block') {
      found[name] = complete(word as Block, other as Block, fits, `${at}.`);
    } else if (!word || !isLike(word, other) || !fits(word, at)) {
      const isOptional = kind !== 'block' && fits(undefined, at);
      if (word || !isOptional) noteReplaced(at);
      if (isOptional) delete found[name];
      else found[name] = other;
    }
  }
  return found;
}

/** Whether a word is of the kind of another; items of a list are like the first one of the other list. */
function isLike(word: unknown, other: unknown): boolean {
  if (!word || kindOf(word) !== kindOf(other)) return false;
  if (Array.isArray(word)) return word.every((one) => isItemLike(one, (other as unknown[])[0]));
  return true;
}

const isItemLike = (item: unknown, other: unknown): boolean =>
  isLike(item, other) &&
  (!isObject(other) || Object.entries(other).every(([name, part]) => isItemLike((item as Block)[name], part)));

/** Notes a path of what the content lacks, or the mistake of its file. */
export function noteReplaced(what: string): void {
  if (!replacedWords.includes(what)) replacedWords.push(what);
}

/** Reads the words of all forms. */
export function readWords(file = WORDS_FILE): Words {
  return asWords(readBlock('forms', file));
}

/** Reads the words of all forms, with those of the build in place of missing ones that no form can do without. */
export function readCompleteWords(file = WORDS_FILE, builtFile = BUILT_FILE): Words {
  const fits: Fits = (text, path) => {
    const name = path.replace(/.*\./, '');
    if (!text) return !NEEDED.has(name);
    return !path.startsWith('forms.all.') || wrongCommonPlace(name, text as string) === undefined;
  };
  return asWords(readCompleteBlock('forms', fits, file, builtFile));
}

const NEEDED: ReadonlySet<string> = new Set([...COMMON_WORDS, ...FORM_WORDS, 'label', 'choose']);

function asWords(forms: unknown): Words {
  return withFile(() => {
    if (!isObject(forms)) throw new Error('forms is missing');
    const wrong = Object.keys(forms).find((form) => !isObject(forms[form]));
    if (wrong) throw new Error(`forms.${wrong} is not a block of words`);
    return forms as Words;
  });
}

type Block = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text may have one form for each plural of the language. */
function kindOf(word: unknown): 'text' | 'list' | 'block' {
  if (Array.isArray(word)) return 'list';
  return isObject(word) && typeof word['other'] !== 'string' ? 'block' : 'text';
}

/** Words of all forms, which are read once. */
export const allWords = (): Words => (words ??= readCompleteWords());

/**
 * Returns the words of a form, or those of all forms. The site's build puts the words themselves in place of a call, so
 * that a script has those of its own form only: the name must be a literal.
 *
 * @throws Error if the file has no words for the form
 */
export function wordsOf(form: 'all'): CommonWords;
export function wordsOf(form: string): FormWords;
export function wordsOf(form: string): FormWords | CommonWords {
  const { [form]: found } = allWords();
  if (!found) throw new Error(`${WORDS_NAME}: forms.${form} is missing`);
  const missing = (form === 'all' ? COMMON_WORDS : FORM_WORDS).find((name) => !(name in found));
  if (missing) throw new Error(`${WORDS_NAME}: forms.${form}.${missing} is missing`);
  return found;
}
