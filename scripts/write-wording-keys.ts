import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { toLine } from '../frontend/builder/content/findings.ts';
import { parseFile } from '../frontend/builder/content/parse-file.ts';

const WORDS = new URL('../frontend/content/wording.yaml', import.meta.url);
const KEYS = new URL('../form-service/src/contract/wording-keys.json', import.meta.url);

type Words = Readonly<Record<string, unknown>>;

/** Returns the places of a text or its plural forms, such as ` {name}`. Facts have a dot in their names and are no places. */
function placesIn(text: string | Words): string {
  const found = typeof text === 'string' ? text : Object.values(text).join(' ');
  return [...new Set(found.match(/\{\w+\}/g))].map((place) => ` ${place}`).join('');
}

const isText = (part: unknown): part is string | Words =>
  typeof part === 'string' || typeof (part as Words)['other'] === 'string';

/** Returns the keys of words, each text with its places behind its name. */
const keysOf = (words: Words): object =>
  Object.fromEntries(
    Object.entries(words).map(([name, part]) =>
      isText(part) ? [name + placesIn(part), ''] : [name, keysOf(part as Words)],
    ),
  );

/** Returns the content of the file with the keys. Forms have theirs in form-words.ts. */
export function wordingKeys(): string {
  const words = parse(readFileSync(WORDS, 'utf8'), { schema: 'failsafe' }) as { readonly forms: Words };
  return `${JSON.stringify(keysOf({ ...words, forms: { all: words.forms['all'] } }), null, 2)}\n`;
}

// As a program it writes the keys of the English words, after a word was added: node scripts/write-wording-keys.ts
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { mistakes } = parseFile(fileURLToPath(new URL('.', WORDS)), 'wording.yaml');
  for (const mistake of mistakes) process.stderr.write(`${toLine(mistake)}\n`);
  if (mistakes.length > 0) process.exitCode = 1;
  else writeFileSync(KEYS, wordingKeys());
}
