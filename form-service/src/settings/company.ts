import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CONTENT_FOLDER, CONTENT_NAME, noteReplaced } from '../contract/words.ts';

/** File with the facts about the company, which writers edit. */
export const COMPANY_FILE = `${CONTENT_NAME}/company.yaml`;

type Facts = Readonly<Record<string, unknown>>;

let facts: Facts | undefined;

/**
 * Returns a fact about the company. Like any text of the site, it can name others, such as {company.email}.
 *
 * @param set facts that settings replace
 * @throws Error with the mistake of the file in one line
 */
export function companyFact(name: string, file?: URL, set: Facts = {}): string | undefined {
  const company = { ...(file ? readFacts(file) : (facts ??= readFacts())), ...set };
  const groups: Readonly<Record<string, unknown>> = { company, figures: company['figures'] };
  const fact = company[name];
  if (typeof fact !== 'string' || fact === '') return undefined;
  const filled = fact.replaceAll(/\{(company|figures)\.(\w+)\}/g, (place, group: string, other: string) => {
    const found = (groups[group] as Facts | null | undefined)?.[other];
    return typeof found === 'string' ? found : place;
  });
  // Otherwise mails would go to an address such as sales@{company.host}.
  if (/[{}]/.test(filled)) throw new Error(`${COMPANY_FILE}: ${name} has braces that enclose no fact`);
  return filled.trim();
}

/** Copy of the file as of the service's build, next to the compiled code. Source code has none. */
const BUILT_FILE = new URL('../company.yaml', import.meta.url);

/** Reads the facts, or those of the build if the file cannot be read. @throws Error with the mistake if there is no build */
export function readFacts(file = new URL('company.yaml', CONTENT_FOLDER), builtFile = BUILT_FILE): Facts {
  try {
    return (parse(readFileSync(file, 'utf8'), { schema: 'failsafe' }) ?? {}) as Facts;
  } catch (error) {
    const [mistake = ''] = (error as Error).message.split('\n');
    const named = `${COMPANY_FILE}: ${mistake.replace(/:$/, '')}`;
    if (file.href === builtFile.href || !existsSync(builtFile)) throw new Error(named, { cause: error });
    noteReplaced(named);
    return readFacts(builtFile, builtFile);
  }
}
