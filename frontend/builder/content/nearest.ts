import leven from 'leven';

/** Returns the known name that the writer may have meant, by its edit distance, as the end of a message. */
export function nearest(word: string, known: Iterable<string>): string {
  const [best] = [...known].map((name) => ({ name, steps: leven(word, name) })).sort((a, b) => a.steps - b.steps);
  return best && best.steps <= Math.max(2, word.length / 2) ? `, did you mean "${best.name}"?` : '';
}
