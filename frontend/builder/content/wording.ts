import { FORMS } from '../../../form-service/src/contract/forms.ts';
import { formShape, type FormWords } from '../../../form-service/src/contract/form-words.ts';
import type { Words } from '../../../form-service/src/contract/messages.ts';
import { wordMistakes, type Shape } from '../../../form-service/src/contract/word-mistakes.ts';
import KEYS from '../../../form-service/src/contract/wording-keys.json' with { type: 'json' };
import { SERVICE_SECTIONS } from '../../../form-service/src/contract/words.ts';
import type { Facts } from './facts.ts';
import { mistake } from './findings.ts';
import { markInField } from './marks.ts';
import type { ParsedFile } from './parse-file.ts';
import type { TypedFile } from './typed-file.ts';
import { valuesIn } from './values.ts';

/** The site's own words, and those of the forms. */
export type Wording = Words<Omit<typeof KEYS, (typeof SERVICE_SECTIONS)[number]>> & {
  readonly forms: Readonly<Record<string, FormWords>>;
};

/** Keys of all words. */
export const wordingShape = {
  ...KEYS,
  forms: { ...KEYS.forms, ...Object.fromEntries(FORMS.map(({ kind, rules }) => [kind, formShape(rules)])) },
} as Shape;

type Sections = Readonly<Record<string, unknown>>;

/** Fills the facts into the words and checks them. The service fills only figures into its own. */
export function readWording(parsed: ParsedFile, facts: Facts): TypedFile<Wording> {
  const { file, lineOf } = parsed;
  const filledWith = (known: Facts) =>
    parsed.values((text) => text.replaceAll(/\{([\w.]+)\}/g, (place, name: string) => known.get(name) ?? place));
  const figures = new Map([...facts].filter(([name]) => name.startsWith('figures.')));
  const ofService = Object.entries((filledWith(figures) ?? {}) as Sections).filter(([section]) =>
    SERVICE_SECTIONS.some((name) => name === section),
  );
  const words = { ...(filledWith(facts) as Sections | undefined), ...Object.fromEntries(ofService) };
  const marks = valuesIn(words).flatMap(({ path, value }) => {
    const mark = typeof value === 'string' && markInField(value);
    return mark ? [mistake(file, lineOf(path, mark.words), `${path}: ${mark.mistake}`)] : [];
  });
  const wrong =
    parsed.mistakes.length > 0
      ? parsed.mistakes
      : [...wordMistakes(words, wordingShape)].map(({ path, message }) =>
          mistake(file, lineOf(path), `${path} ${message}`),
        );
  const findings = [...wrong, ...marks];
  const data = findings.length > 0 ? undefined : (words as unknown as Wording);
  return { file, data, isDraft: false, findings, later: [], lineOf };
}
