/** Sets kept; the oldest goes when there are more. */
const SETS_MAX = 5_000;

/** Members kept of one set: more than enough to call something repeated. */
const MEMBERS_MAX = 16;

interface Entry {
  readonly since: number;
  readonly members: Set<string>;
}

/** Named sets that are forgotten some time after they began, in this process, in bounded memory. */
export class LocalSets {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly windowMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** @returns the number of members that this set has since the window began with its first one */
  add(name: string, member: string): number {
    const entry = this.current(name) ?? this.begin(name);
    if (entry.members.size < MEMBERS_MAX) entry.members.add(member);
    return entry.members.size;
  }

  private current(name: string): Entry | undefined {
    const entry = this.entries.get(name);
    return entry && this.now() - entry.since < this.windowMs ? entry : undefined;
  }

  private begin(name: string): Entry {
    this.entries.delete(name);
    const [oldest] = this.entries.keys();
    if (oldest !== undefined && this.entries.size >= SETS_MAX) this.entries.delete(oldest);
    const entry = { since: this.now(), members: new Set<string>() };
    this.entries.set(name, entry);
    return entry;
  }
}
