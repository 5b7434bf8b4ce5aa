import { nearest } from './nearest.ts';

/** Values that texts name in braces, such as `{company.name}`. */
export type Facts = ReadonlyMap<string, string>;

/** A fact's name in braces, also with spaces or with too many or too few braces; an anchor; a single brace. */
const BRACES = /\{#[\w-]+\}|\{+\s*([\w.]*)\s*\}*|([\w.]*)\}+/g;

/** Anchor of a Markdown heading, which has braces of its own: `## Use of information {#use}`. */
const ANCHOR_AT_END = /\{#[\w-]+\}(?=[ \t]*$)/;

function explain(words: string, name: string, facts: Facts): string {
  if (words.startsWith('{#')) return `${words} is an anchor, which stands at the end of a heading in Markdown`;
  if (!name) return `${words} encloses no fact: write the name of one, such as {company.name}, or take the braces away`;
  if (facts.has(name)) return `write {${name}} in place of ${words}`;
  return `${words} is no fact of company.yaml${nearest(name, facts.keys())}`;
}

/** Replaces the names of facts in a text. Reports every other brace, because visitors would see it. */
export function fillFacts(text: string, facts: Facts, refuse: (message: string, words: string) => void): string {
  return text.replaceAll(BRACES, (words, opened: string | undefined, closed: string | undefined) => {
    const name = opened || closed || '';
    const fact = words === `{${name}}` ? facts.get(name) : undefined;
    if (fact === undefined) refuse(explain(words.trim(), name, facts), words);
    return fact ?? words;
  });
}

/** Like {@link fillFacts}, for Markdown, whose headings may end with an anchor. */
export function fillMarkdown(text: string, facts: Facts, refuse?: (message: string, line: number) => void): string {
  const lines = text.split('\n').map((line, index) => {
    const anchor = line.startsWith('#') ? (ANCHOR_AT_END.exec(line)?.[0] ?? '') : '';
    const [words = line] = anchor ? line.split(anchor) : [];
    return fillFacts(words, facts, (message) => refuse?.(message, index + 1)) + anchor;
  });
  return lines.join('\n');
}
