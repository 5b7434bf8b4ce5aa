import { setTimeout as pause } from 'node:timers/promises';
import { post } from './http-post.ts';
import type { Ledger, Outcome } from './ledger.ts';
import { RATE, type Options } from './options.ts';
import { visitorOf, type Visitor } from './visitors.ts';

/** Longest wait for an answer, in milliseconds: longer than a process is frozen. */
const ANSWER_MS = 12_000;

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 2_000;

/** A patient visitor that has no final answer this long after the first try shows that something never recovered. */
const PATIENCE_MS = 300_000;

/** Visitors who come at a steady rate, whether or not the ones before them have been answered. */
export class Load {
  readonly #siteUrl: string;
  readonly #options: Options;
  readonly #ledger: Ledger;

  constructor(siteUrl: string, options: Options, ledger: Ledger) {
    this.#siteUrl = siteUrl;
    this.#options = options;
    this.#ledger = ledger;
  }

  /** Resolves when every visitor has a final answer or has given up. */
  async run(): Promise<void> {
    const startedAt = performance.now();
    const visits: Promise<void>[] = [];
    for (let number = 0; number < this.#options.submissions; number++) {
      await pause(startedAt + (number * 1000) / RATE - performance.now());
      visits.push(this.#visit(visitorOf(this.#options.seed, number, this.#options.resumeMaxBytes)));
    }
    await Promise.all(visits);
  }

  async #visit(visitor: Visitor): Promise<void> {
    const body = await visitor.encode();
    const url = new URL(visitor.path, this.#siteUrl);
    const givesUpAt = performance.now() + (visitor.isPatient ? PATIENCE_MS : 0);
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      const outcome = this.#ledger.answered(await post(url, body, visitor, ANSWER_MS));
      if (isFinal(outcome) || performance.now() > givesUpAt) {
        this.#ledger.entries.push({
          visitor: { ...visitor, encode: () => Promise.reject(new Error('sent already')) },
          outcome,
        });
        return;
      }
      await pause(wait);
    }
  }
}

/** Whether sending the same again makes no sense. */
export function isFinal(outcome: Outcome): boolean {
  if (outcome.kind === 'accepted') return true;
  return outcome.kind === 'refused' && outcome.status < 500 && outcome.status !== 408 && outcome.status !== 429;
}
