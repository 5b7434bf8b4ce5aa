import type { Holder } from '../holder.ts';
import type { Bucket, Found } from './bucket.ts';
import type { ConditionalWrites } from './conditional-writes.ts';
import { keys, newNonce } from './keys.ts';

/** A claim that was not renewed for this long, by the server's clock, has lapsed; in milliseconds. */
const LAPSE_MS = 120_000;
const RENEW_MS = 30_000;

/** Up to this age by our own clock nobody can have taken a claim over, however far the clocks are apart; in milliseconds. */
const SURE_MS = LAPSE_MS / 2;

interface Held {
  readonly etag: string;
  /** When the last renewal was begun, by the monotonic clock. */
  readonly since: number;
}

/**
 * Marks made exclusively, one per claimed name, with the holder's name and renewed while it lives. Each version of a mark is
 * unlike any other, so that a renewal and a take-over of the same version never both succeed.
 */
export class Claims {
  private readonly held = new Map<string, Held>();
  private readonly renewal: NodeJS.Timeout;

  constructor(
    private readonly bucket: Bucket,
    private readonly writes: ConditionalWrites,
    private readonly holder: Holder,
  ) {
    this.renewal = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  /** False when another holder, or this one, has it already. */
  async take(name: string): Promise<boolean> {
    const since = performance.now();
    const key = keys.claim(name);
    const text = this.text();
    const etag = (await this.writes.create(key, text)) ?? (await this.takeOver(key, text));
    if (etag === undefined) return false;
    this.held.set(name, { etag, since });
    return true;
  }

  /** Gives a claim back. One that may have lapsed meanwhile is left alone: it may be another holder's by now. */
  async release(name: string): Promise<void> {
    const held = this.held.get(name);
    this.held.delete(name);
    if (held && performance.now() - held.since < SURE_MS) await this.bucket.remove(keys.claim(name));
  }

  /** Removes the claims that nobody holds any more: at its start, those of the process that ran here before. */
  async sweep(): Promise<void> {
    for await (const { key } of this.bucket.list(keys.claims)) {
      const name = key.slice(keys.claims.length);
      const there = await this.bucket.get(key);
      if (there && this.hasLapsed(there) && (await this.take(name))) await this.release(name);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.renewal);
    await Promise.allSettled([...this.held.keys()].map((name) => this.release(name)));
  }

  private async takeOver(key: string, text: string): Promise<string | undefined> {
    const there = await this.bucket.get(key);
    return there && this.hasLapsed(there) ? this.writes.replace(key, text, there.etag) : undefined;
  }

  private hasLapsed({ text, modifiedAt }: Found): boolean {
    return this.holder.knowsDead(holderOf(text)) || this.bucket.now() - modifiedAt > LAPSE_MS;
  }

  private async renew(): Promise<void> {
    await Promise.allSettled([...this.held].map(([name, held]) => this.renewOne(name, held)));
  }

  private async renewOne(name: string, held: Held): Promise<void> {
    const since = performance.now();
    const etag = await this.writes.replace(keys.claim(name), this.text(), held.etag);
    if (etag === undefined) this.held.delete(name);
    else if (this.held.has(name)) this.held.set(name, { etag, since });
  }

  private text(): string {
    return `${this.holder.name} ${newNonce()}`;
  }
}

function holderOf(text: string): string {
  return text.slice(0, text.indexOf(' '));
}
