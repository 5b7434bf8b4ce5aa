/** Texts kept; the oldest goes when there are more. */
const TEXTS_MAX = 5_000;

/** Clients kept of one text: more than enough to call it repeated. */
const CLIENTS_MAX = 16;

interface Entry {
  readonly since: number;
  readonly clients: Set<string>;
}

/** Which clients sent which text within a window, in this process, in bounded memory. */
export class LocalSenders {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly windowMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** @returns the number of clients that sent this text since the window began with its first one */
  add(text: string, client: string): number {
    const entry = this.current(text) ?? this.begin(text);
    if (entry.clients.size < CLIENTS_MAX) entry.clients.add(client);
    return entry.clients.size;
  }

  private current(text: string): Entry | undefined {
    const entry = this.entries.get(text);
    return entry && this.now() - entry.since < this.windowMs ? entry : undefined;
  }

  private begin(text: string): Entry {
    this.entries.delete(text);
    const [oldest] = this.entries.keys();
    if (oldest !== undefined && this.entries.size >= TEXTS_MAX) this.entries.delete(oldest);
    const entry = { since: this.now(), clients: new Set<string>() };
    this.entries.set(text, entry);
    return entry;
  }
}
