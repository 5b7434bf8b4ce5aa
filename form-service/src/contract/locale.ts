import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CONTENT_FOLDER, CONTENT_NAME, noteReplaced } from './words.ts';

const DEFAULT = 'en-GB';
const COMPANY_FILE = new URL('company.yaml', CONTENT_FOLDER);
/** Copy of the file as of the service's build, next to the compiled code. Source code has none. */
const BUILT_FILE = new URL('../company.yaml', import.meta.url);

/**
 * Returns the language of a company.yaml, as for its words: that of the build if there is no such file, and the default if
 * it names none. The site's build reports a wrong one.
 */
export function readLanguage(file = COMPANY_FILE, builtFile = BUILT_FILE): string {
  const found = [file, builtFile].find((one) => existsSync(one));
  try {
    const facts: unknown = found && parse(readFileSync(found, 'utf8'), { schema: 'failsafe' });
    return canonicalLanguage((facts as { language?: string } | null | undefined)?.language || DEFAULT);
  } catch {
    noteReplaced(`${CONTENT_NAME}/company.yaml: language`);
    return DEFAULT;
  }
}

/** Returns a language tag (BCP 47) in its usual spelling. @throws RangeError if the runtime does not know the language */
export function canonicalLanguage(tag: string): string {
  const [language] = Intl.DateTimeFormat.supportedLocalesOf(tag);
  if (!language) throw new RangeError(`${tag} is unknown`);
  return language;
}

/** Language and region of all texts, dates, numbers and plurals (BCP 47). */
export const LOCALE = readLanguage();

/** Language of the calendar dates on the site. They are as in the United States by default: `September 1, 2025`. */
export const DATE_LOCALE = LOCALE === DEFAULT ? 'en-US' : LOCALE;
