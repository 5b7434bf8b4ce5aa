import { FORMS } from '../../../form-service/src/contract/forms.ts';
import { formShape, type FormWords } from '../../../form-service/src/contract/form-words.ts';
import type { Words } from '../../../form-service/src/contract/messages.ts';
import { MISSING, wordMistakes, type Shape } from '../../../form-service/src/contract/word-mistakes.ts';
import KEYS from '../../../form-service/src/contract/wording-keys.json' with { type: 'json' };
import { replaceWord, SERVICE_SECTIONS } from '../../../form-service/src/contract/words.ts';
import type { Facts } from './facts.ts';
import { mistake, reminder } from './findings.ts';
import { markIn } from './markdown.ts';
import type { ParsedFile } from './parse-file.ts';
import type { TypedFile } from './typed-file.ts';
import { valuesIn } from './values.ts';

/** The site's own words, and those of the forms. */
export type Wording = Words<Omit<typeof KEYS, (typeof SERVICE_SECTIONS)[number]>> & {
  readonly forms: Readonly<Record<string, FormWords>>;
};

/** Keys of all words. */
const wordingShape = {
  ...KEYS,
  forms: { ...KEYS.forms, ...Object.fromEntries(FORMS.map(({ kind, rules }) => [kind, formShape(rules)])) },
} as Shape;

type Sections = Record<string, unknown>;

/** Fills the facts into the words. The service fills only figures into its own. */
function wordsIn({ values }: ParsedFile, facts: Facts): Sections {
  const filledWith = (known: Facts) =>
    (values((text) => text.replaceAll(/\{([\w.]+)\}/g, (place, name: string) => known.get(name) ?? place)) ??
      {}) as Sections;
  const figures = new Map([...facts].filter(([name]) => name.startsWith('figures.')));
  const ofService = Object.entries(filledWith(figures)).filter(([section]) =>
    SERVICE_SECTIONS.some((name) => name === section),
  );
  return { ...filledWith(facts), ...Object.fromEntries(ofService) };
}

/** Reads wording.yaml. Words that it lacks are those of the example, if that is another file. */
export function readWording(parsed: ParsedFile, facts: Facts, example?: ParsedFile): TypedFile<Wording> {
  const { file, lineOf } = parsed;
  const words = wordsIn(parsed, facts);
  const marks = valuesIn(words).flatMap(({ path, value }) => {
    const mark = typeof value === 'string' && markIn(value);
    return mark ? [mistake(file, lineOf(path, mark.words), `${path}: ${mark.mistake}`)] : [];
  });
  if (parsed.mistakes.length > 0) return { data: undefined, findings: parsed.mistakes };
  const found = [...wordMistakes(words, wordingShape)];
  if (example)
    for (const { path, message } of found) if (message === MISSING) replaceWord(words, wordsIn(example, facts), path);
  const left = new Map([...wordMistakes(words, wordingShape)].map((one) => [one.path, one]));
  const findings = [
    ...marks,
    ...found.map(({ path, message }) =>
      left.has(path)
        ? mistake(file, lineOf(path), `${path} ${message}`)
        : reminder(file, lineOf(path), `${path} is missing: readers see the words of the example`),
    ),
  ];
  const isWrong = findings.some(({ severity }) => severity === 'mistake');
  return { data: isWrong ? undefined : (words as unknown as Wording), findings };
}
