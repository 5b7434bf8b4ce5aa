import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CONTENT_FOLDER, CONTENT_NAME } from '../contract/content-folder.ts';

/** File with the facts about the company, which writers edit. */
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

function readFacts(file = new URL('company.yaml', CONTENT_FOLDER)): Facts {
  try {
    return (parse(readFileSync(file, 'utf8'), { schema: 'failsafe' }) ?? {}) as Facts;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [mistake = ''] = message.split('\n');
    const advice = code === 'ENOENT' ? '. Mount its folder, or set COMPANY_NAME, SALES_INBOX and HR_INBOX.' : '';
    throw new Error(`${COMPANY_FILE}: ${mistake.replace(/:$/, '')}${advice}`, { cause: error });
  }
}
