/** States that a submission can arrive in. */
export type AcceptState = 'pending' | 'quarantined';

/** What a line of a journal says: a record was accepted, or one that was accepted is erased and must not come back. */
export type JournalEntry = { readonly state: AcceptState; readonly submission: unknown } | { readonly erased: string };

/** The line break before it ends a line that a crash or a full disk cut short. */
export function acceptedLine(state: AcceptState, record: string): string {
  return `\n{"state":"${state}","submission":${record}}\n`;
}

export function erasedLine(id: string): string {
  return `\n${JSON.stringify({ erased: id } satisfies JournalEntry)}\n`;
}

/** Reads the lines that were written whole; what was not was promised to nobody. */
export function readJournal(text: string): JournalEntry[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as JournalEntry];
    } catch {
      return [];
    }
  });
}
