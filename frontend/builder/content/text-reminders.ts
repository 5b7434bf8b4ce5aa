import type { Facts } from './facts.ts';
import { reminder, type Finding } from './findings.ts';
import type { ParsedFile } from './parse-file.ts';

/** Least length of a value that no other text has by chance. */
const DISTINCTIVE_LENGTH = 6;

/** Whether a value is found in other texts only if it is this fact: `$2,500` and `24 hours`, but not `50+`, `99%` or a name. */
const isDistinctive = (value: string) =>
  value.length >= DISTINCTIVE_LENGTH && /\d\d/.test(value) && !value.includes('{');

/** Facts that writers choose. The operator's, such as the days of retention, are equal to other texts by chance. */
const WRITTEN = /^(?:company|figures)\./;

/** Words that writers put in place of a text that they have not written yet. */
const UNWRITTEN = /\b(?:TODO|FIXME)\b|\blorem ipsum\b|^(?:[-*] )?(?:todo|tbd|tba|xxx|undefined|nan)$/i;

/** Reminds of texts that are not written yet, or that repeat the value of a fact and would not change with it. */
export function textReminders({ file, values, body, linesBefore }: ParsedFile, facts: Facts): readonly Finding[] {
  const written = [...facts].flatMap(([name, value]) => (WRITTEN.test(name) && isDistinctive(value) ? [value] : []));
  const patterns = [...new Set(written)].map((value) => ({ value, pattern: wordsOf(value) }));
  const found: Finding[] = [];
  const look = (text: string, lineOf: (words: string) => number) => {
    const unwritten = UNWRITTEN.exec(text)?.[0];
    if (unwritten)
      found.push(reminder(file, lineOf(unwritten), `"${text.trim()}" is still a stand-in: write the text`));
    for (const { value, pattern } of patterns)
      if (pattern.test(text))
        found.push(
          reminder(file, lineOf(value), `"${value}" is a fact of company.yaml: write ${namesOf(value, facts)}`),
        );
  };
  values((text, lineOf) => {
    look(text, lineOf);
    return text;
  });
  for (const [index, line] of body.split('\n').entries()) look(line, () => linesBefore + index + 1);
  return found;
}

/** Matches a value that is not a part of a longer number or word. */
const wordsOf = (value: string) =>
  new RegExp(`(?<![\\w.,-])${value.replaceAll(/[^\w\s]/g, String.raw`\$&`)}(?!\\w|[.,]\\d)`);

const namesOf = (value: string, facts: Facts) =>
  [...facts].flatMap(([name, fact]) => (fact === value ? [`{${name}}`] : [])).join(' or ');
