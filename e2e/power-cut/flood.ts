import { post } from '../faults/http-post.ts';
import type { Ledger } from '../faults/ledger.ts';
import { visitorOf } from '../faults/visitors.ts';

/** Visitors at once, each of whom comes when the one before has been answered. */
const AT_ONCE = 8;

const RESUME_MAX_BYTES = 300_000;
const ANSWER_MS = 5_000;

/** As many visitors as the service takes, none of whom tries again. */
export class Flood {
  private number = 0;

  constructor(
    private readonly ledger: Ledger,
    private readonly seed: number,
  ) {}

  begin(siteUrl: string, most = Infinity): { end: () => void; ended: Promise<unknown> } {
    const last = this.number + most;
    const over = new AbortController();
    const visits = Array.from({ length: AT_ONCE }, async () => {
      while (!over.signal.aborted && this.number < last) await this.visit(siteUrl, this.number++);
    });
    return { end: () => over.abort(), ended: Promise.all(visits) };
  }

  private async visit(siteUrl: string, number: number): Promise<void> {
    const visitor = visitorOf(this.seed, number, RESUME_MAX_BYTES);
    const outcome = this.ledger.answered(
      await post(new URL(visitor.path, siteUrl), await visitor.encode(), visitor, ANSWER_MS),
    );
    this.ledger.entries.push({
      visitor: { ...visitor, encode: () => Promise.reject(new Error('sent already')) },
      outcome,
    });
  }
}
