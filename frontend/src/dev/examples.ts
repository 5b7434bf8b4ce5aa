import type { Page, Section } from '../content/schema.ts';

export interface Example {
  readonly name: string;
  readonly section: Section;
}

/** What makes two sections look different: the kind, the shape, and how many items share a row. */
function variant(section: Section): string {
  switch (section.kind) {
    case 'features':
      return `features, ${section.shape}, of ${section.items.length}`;
    case 'process':
      return `process of ${section.steps.length}`;
    case 'stats':
      return `stats of ${section.stats.length}`;
    case 'prose':
      return ['prose', section.picture && 'picture', section.facts && 'facts'].filter(Boolean).join(' and ');
    default:
      return section.kind;
  }
}

/** One section of every kind and shape that the pages show, in the order they first appear. */
export function examples(pages: readonly Page[]): readonly Example[] {
  const found = new Map<string, Section>();
  for (const section of pages.flatMap(({ sections }) => sections)) {
    const name = variant(section);
    if (!found.has(name)) found.set(name, section);
  }
  return [...found].map(([name, section]) => ({ name, section }));
}

/** Words without a place to break, in two scripts. */
const LONG_WORDS = ['Kraftfahrzeughaftpflichtversicherungsanbieter', 'மென்பொருள்மேம்பாட்டுநிறுவனத்தினருக்கானது'];

/** Properties that visitors read; the others are addresses, icons and ids. */
const WORDS = new Set([
  'heading',
  'title',
  'name',
  'label',
  'value',
  'question',
  'size',
  'category',
  'metricLabel',
  'duration',
]);

/** The same content with a long word before everything that is set in a narrow place. */
export function withLongWords<Content>(content: Content): Content {
  let count = 0;
  const words = JSON.stringify(content, (key, value: unknown) => {
    if (typeof value !== 'string' || !WORDS.has(key)) return value;
    count += 1;
    return `${LONG_WORDS[count % LONG_WORDS.length]} ${value}`;
  });
  return JSON.parse(words) as Content;
}
