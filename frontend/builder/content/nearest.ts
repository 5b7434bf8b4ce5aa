/** Returns the known name that the writer may have meant, by its edit distance, as the end of a message. */
export function nearest(word: string, known: Iterable<string>): string {
  const [best] = [...known].map((name) => ({ name, steps: distance(word, name) })).sort((a, b) => a.steps - b.steps);
  return best && best.steps <= Math.max(2, word.length / 2) ? `, did you mean "${best.name}"?` : '';
}

/** Returns how many letters have to be added, left out or replaced (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const letter of one) {
    const next = [(row[0] ?? 0) + 1];
    for (const [index, match] of [...other].entries()) {
      const replaced = (row[index] ?? 0) + (letter === match ? 0 : 1);
      next.push(Math.min(replaced, (next[index] ?? 0) + 1, (row[index + 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
