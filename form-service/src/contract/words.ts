import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

const WORDS_NAME = 'frontend/content/wording.yaml';
/** File with the words of all forms, which writers edit. */
export const WORDS_FILE = new URL(`../../../${WORDS_NAME}`, import.meta.url);
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
  'chooseFile',
  'removeFile',
  'resumeTooLarge',
  'resumeWrongType',
  'resumeEmpty',
  'resumeSaveAsPdf',
  'resumeDamaged',
  'resumeHasPassword',
  'resumeChanged',
  'resumeName',
] as const;

export type CommonWords = Readonly<Record<(typeof COMMON_WORDS)[number], string>>;

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
 * Reads the words of all forms.
 *
 * @throws Error with the mistake in one line
 */
export function readWords(file = WORDS_FILE): Words {
  try {
    const content = parse(readFileSync(file, 'utf8'), { schema: 'failsafe' }) as { readonly forms?: unknown } | null;
    const forms = content?.forms;
    if (!isBlock(forms)) throw new Error('forms is missing');
    const wrong = Object.keys(forms).find((form) => !isBlock(forms[form]));
    if (wrong) throw new Error(`forms.${wrong} is not a block of words`);
    return forms as Words;
  } catch (error) {
    const [mistake = ''] = (error as Error).message.split('\n');
    throw new Error(`${WORDS_NAME}: ${mistake.replace(/:$/, '')}`, { cause: error });
  }
}

/**
 * Reads the words of all forms. Those of the build take the place of missing ones, and of those of another kind: the file can
 * be of another version.
 */
export function readCompleteWords(file = WORDS_FILE, builtFile = BUILT_FILE): Words {
  if (!existsSync(builtFile)) return readWords(file);
  const built = readWords(builtFile);
  try {
    return complete(readWords(file), built, 'forms') as Words;
  } catch (error) {
    replacedWords.push((error as Error).message);
    return built;
  }
}

/** Names of texts that no block can do without. */
const NEEDED: ReadonlySet<string> = new Set([...COMMON_WORDS, ...FORM_WORDS, 'label', 'choose']);

function complete(own: Block, built: Block, path: string): Block {
  const found: Record<string, unknown> = { ...own };
  for (const [name, other] of Object.entries(built)) {
    const word = own[name];
    if (isBlock(word) && isBlock(other)) found[name] = complete(word, other, `${path}.${name}`);
    else if (word ? kindOf(word) !== kindOf(other) : isBlock(other) || NEEDED.has(name)) {
      replacedWords.push(`${path}.${name}`);
      found[name] = other;
    }
  }
  return found;
}

const kindOf = (word: unknown) => (Array.isArray(word) ? 'list' : typeof word);

type Block = Readonly<Record<string, unknown>>;

const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the words of a form, or those of all forms. The site's build puts the words themselves in place of a call, so
 * that a script has those of its own form only: the name must be a literal.
 *
 * @throws Error if the file has no words for the form
 */
export function wordsOf(form: 'all'): CommonWords;
export function wordsOf(form: string): FormWords;
export function wordsOf(form: string): FormWords | CommonWords {
  words ??= readCompleteWords();
  const { [form]: found } = words;
  if (!found) throw new Error(`${WORDS_NAME}: forms.${form} is missing`);
  const missing = (form === 'all' ? COMMON_WORDS : FORM_WORDS).find((name) => !(name in found));
  if (missing) throw new Error(`${WORDS_NAME}: forms.${form}.${missing} is missing`);
  return found;
}
