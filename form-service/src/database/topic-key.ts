import { folded } from './search-text.ts';

/** A topic by which submissions are compared. Two options of a form that have the same key have a line, too. */
export interface Topic {
  /** The topic without case, accents and punctuation. */
  readonly key: string;
  /** The topic without case and accents. */
  readonly line?: string;
}

/** Characters that a key lacks. Each takes time in every write, and a change needs a migration of the index. */
const PUNCTUATION = ` !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~«»·‐–—‘’“”„•`;
const ANY_PUNCTUATION = new RegExp(`[${PUNCTUATION.replace(/[\\\]^-]/g, '\\$&')}]+`, 'gu');

/** Characters of a topic that are compared. PostgreSQL limits the size of an index entry. */
const COMPARED_CHARS = 200;

/** Returns key and line of a topic. `TOPIC_SQL` is the same of a stored submission. */
export function comparedTopic(topic: string): Required<Topic> {
  const line = [...folded(topic)].slice(0, COMPARED_CHARS).join('');
  return { key: line.replace(ANY_PUNCTUATION, ''), line };
}

/** First line of the search text, which is the folded topic. */
const LINE = {
  sqlite: `substr(search_text, 1, min(instr(search_text, char(10)) - 1, ${COMPARED_CHARS}))`,
  postgres: `left(split_part(search_text, chr(10), 1), ${COMPARED_CHARS})`,
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Topic of a stored submission in SQL, by engine. */
export const TOPIC_SQL = {
  sqlite: {
    line: LINE.sqlite,
    key: [...PUNCTUATION].reduce((text, one) => `replace(${text}, ${quoted(one)}, '')`, LINE.sqlite),
  },
  postgres: { line: LINE.postgres, key: `translate(${LINE.postgres}, ${quoted(PUNCTUATION)}, '')` },
};
