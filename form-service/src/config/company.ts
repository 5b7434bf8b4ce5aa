import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CONTENT_FOLDER, CONTENT_NAME } from '../contract/content-folder.ts';

/** File with the facts about the company, which writers edit. The image has it as of its build. */
export const COMPANY_FILE = `${CONTENT_NAME}/company.yaml`;

type Facts = Readonly<Record<string, unknown>>;

let facts: Facts | undefined;

/**
 * Returns a fact about the company. Like any text of the site, it can name others, such as {company.email}.
 *
 * @throws Error with the mistake of the file in one line
 */
export function companyFact(name: string, file?: URL): string | undefined {
  const all = file ? readFacts(file) : (facts ??= readFacts());
  const { [name]: fact } = all;
  if (typeof fact !== 'string' || fact === '') return undefined;
  return fact.replaceAll(/\{company\.(\w+)\}/g, (_, other: string) => String(all[other]));
}

const readFacts = (file?: URL): Facts => readContentFile('company.yaml', file) as Facts;

/**
 * Reads a YAML file of the site's content.
 *
 * @throws Error with the mistake of the file in one line
 */
export function readContentFile(path: string, file = new URL(path, CONTENT_FOLDER)): object {
  try {
    return (parse(readFileSync(file, 'utf8'), { schema: 'failsafe' }) ?? {}) as object;
  } catch (error) {
    const [mistake = ''] = (error as Error).message.split('\n');
    throw new Error(`${CONTENT_NAME}/${path}: ${mistake.replace(/:$/, '')}`, { cause: error });
  }
}
