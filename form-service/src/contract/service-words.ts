import { lazy } from './lazy.ts';
import { makeWords } from './messages.ts';
import { isBlock } from './word-mistakes.ts';
import { texts, WORDS_NAME, type Keys } from './words.ts';

/** Words of the service, by section. */
export const words = lazy(() => makeWords<Omit<Keys, 'forms'>>(texts));

/** Returns the words of a section, without reading them yet. */
export const serviceWords = <Section extends keyof typeof words>(section: Section): (typeof words)[Section] =>
  lazy(() => words[section]);

/** Returns the text of a key for a template, with its places in braces. @throws Error that names the key */
export function templateText(key: string): string {
  const text = key.split('.').reduce<unknown>((part, name) => (isBlock(part) ? part[name] : undefined), texts);
  if (typeof text !== 'string') throw new Error(`${WORDS_NAME}: ${key} is missing, or has plural forms`);
  return text;
}
