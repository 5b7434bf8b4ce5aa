import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMap, isPair, isSeq, LineCounter, parse, parseDocument, type Document, type Node } from 'yaml';
import { formShape, type FormWords } from './form-words.ts';
import { lazy } from './lazy.ts';
import { ContentError, isBlock, wordMistakes, type Shape } from './word-mistakes.ts';
import KEYS from './wording-keys.json' with { type: 'json' };

/** Path of the folder with the content of the site, from the repository, which tests of another content set. */
export const CONTENT_NAME = process.env.CONTENT || 'frontend/content';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** Folder with the content of the site, which writers edit. The image has parts of it as of its build. */
export const CONTENT_FOLDER = pathToFileURL(`${resolve(REPOSITORY, CONTENT_NAME)}/`);

export const WORDS_NAME = `${CONTENT_NAME}/wording.yaml`;
/** File with all words, which writers edit. */
export const WORDS_FILE = new URL('wording.yaml', CONTENT_FOLDER);
/** Copy of the file as of the service's build, next to the compiled code. Source code has none. */
const BUILT_FILE = new URL('../wording.yaml', import.meta.url);
/** Words of the example, which take the place of missing ones where `CONTENT` names another folder. */
export const EXAMPLE_FILE = new URL('../../../frontend/content/wording.yaml', import.meta.url);

const fallbackFor = (file: URL) =>
  [BUILT_FILE, EXAMPLE_FILE].find((one) => one.href !== file.href && existsSync(one)) ?? BUILT_FILE;

/** Sections that the service reads. The others are the site's. */
export const SERVICE_SECTIONS = ['errors', 'plainPages', 'mails', 'submissions', 'inbox', 'signIn', 'forms'] as const;

export type Keys = typeof KEYS;

type Block = Readonly<Record<string, unknown>>;

/** Texts of the sections, as they are in the file. */
export type Texts = Readonly<Record<(typeof SERVICE_SECTIONS)[number], Block>>;

/** Mistakes of the content: a line for each word that the build's one replaces, or the mistake of a file. */
export const replacedWords: string[] = [];

export function noteReplaced(what: string): void {
  if (!replacedWords.includes(what)) replacedWords.push(what);
}

/**
 * Reads the words of the service, with the figures of the company.yaml next to them. Words of the build take the place of
 * missing and wrong ones, because the file can be of another version.
 *
 * @throws ContentError with a line for each mistake, if there is no build
 */
export function readWords(file = WORDS_FILE, builtFile = fallbackFor(file)): Texts {
  const built = existsSync(builtFile) ? parseWords(readFileSync(builtFile, 'utf8'), file) : undefined;
  try {
    const source = readFileSync(file, 'utf8');
    const own = parseWords(source, file);
    const mistakes = [...wordMistakes(own, serviceShape(built ?? own))];
    if (mistakes.length === 0) return own as Texts;
    const lines = mistakes.map(({ path, message }) => `${WORDS_NAME}:${lineOf(source, path)}: ${path} ${message}`);
    if (!built) throw new ContentError(lines.join('\n'));
    for (const line of lines) noteReplaced(line);
    for (const { path } of mistakes) replaceWord(own, built, path);
    return own as Texts;
  } catch (error) {
    const [mistake = ''] = (error as Error).message.split('\n');
    const named =
      error instanceof ContentError ? error : new ContentError(`${WORDS_NAME}: ${mistake.replace(/:$/, '')}`);
    if (!built) throw named;
    noteReplaced(named.message);
    return built as Texts;
  }
}

type MutableBlock = Record<string, unknown>;

function parseWords(source: string, file: URL): MutableBlock {
  const figures = lazy(() => readFigures(file));
  const fill = (_key: unknown, value: unknown) =>
    typeof value === 'string'
      ? value.replaceAll(FIGURE, (place, name: string) => String(figures[name] ?? place))
      : value;
  const words: unknown = parse(source, fill, { schema: 'failsafe' });
  return Object.fromEntries(SERVICE_SECTIONS.map((name) => [name, isBlock(words) ? words[name] : undefined]));
}

/** Names of figures have a dot, which the places of a text have not. */
const FIGURE = /\{figures\.(\w+)\}/g;

function readFigures(file: URL): Block {
  const company = new URL('company.yaml', file);
  const facts: unknown = existsSync(company) ? parse(readFileSync(company, 'utf8'), { schema: 'failsafe' }) : {};
  return isBlock(facts) && isBlock(facts['figures']) ? facts['figures'] : {};
}

/** Returns the keys of the service's words. Forms and fields are those that a file has words for. */
function serviceShape({ forms }: Block): Shape {
  const shapes = Object.entries(isBlock(forms) ? forms : {}).map(([kind, words]) => {
    const fields = isBlock(words) && isBlock(words['fields']) ? Object.keys(words['fields']) : [];
    return [kind, formShape(fields.map((name) => ({ name })))] as const;
  });
  const sections = SERVICE_SECTIONS.map((name) => [name, KEYS[name]] as const);
  return { ...Object.fromEntries(sections), forms: { ...Object.fromEntries(shapes), ...KEYS.forms } } as Shape;
}

/** Puts a word of the build in place of one of the file. A list and a text with plural forms are replaced as a whole. */
export function replaceWord(own: MutableBlock, built: Block, path: string): void {
  const [step = '', ...rest] = path.match(/[^.[\]]+/g) ?? [];
  const [word, other] = [own[step], built[step]];
  if (rest.length > 0 && isBlock(word) && isBlock(other) && typeof other['other'] !== 'string')
    return replaceWord(word, other, rest.join('.'));
  if (other === undefined) delete own[step];
  else own[step] = other;
}

/** The words of the service, which are read at the first look: at the start of a process. */
export const texts = lazy(readWords);

/**
 * Returns the words of a form, or those of all forms, without reading them yet. The site's build puts the words themselves
 * in place of a call, so that a script has those of its own form only: the name must be a literal.
 *
 * @throws ContentError at the first look, if the file has no words for the form
 */
export function wordsOf(form: 'all'): Readonly<Record<string, unknown>>;
export function wordsOf(form: string): FormWords;
export function wordsOf(form: string): object {
  return lazy(() => {
    const { [form]: found } = texts.forms;
    if (!isBlock(found)) throw new ContentError(`${WORDS_NAME}: forms.${form} is missing`);
    return found;
  });
}

/** Returns the pair of a map, or the item of a list. */
function itemAt(node: unknown, step: string): unknown {
  if (isMap(node)) return node.items.find(({ key }) => String(key) === step);
  return isSeq(node) ? node.items[Number(step)] : undefined;
}

/** Returns the range of a path's value in the source, or of the nearest value around it. */
export function rangeOf(document: Document.Parsed, path: string): readonly [number, number] {
  let node: unknown = document.contents;
  let range = (node as Node | null)?.range ?? [0, 0, 0];
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    const item = itemAt(node, step);
    if (!item) break;
    node = isPair(item) ? item.value : item;
    const start = ((isPair(item) ? item.key : item) as Node | null)?.range?.[0] ?? range[0];
    range = [start, (node as Node | null)?.range?.[1] ?? start, 0];
  }
  return [range[0], range[1]];
}

/** Returns the line of a path such as `forms.contact.next[0].when`, or of the nearest value around it. */
function lineOf(source: string, path: string): number {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { schema: 'failsafe', lineCounter });
  return lineCounter.linePos(rangeOf(document, path)[0]).line;
}
