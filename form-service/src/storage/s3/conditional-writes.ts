import { setTimeout as pause } from 'node:timers/promises';
import type { Bucket } from './bucket.ts';
import { learnEtagForm, type EtagForm } from './conditions.ts';
import { keys } from './keys.ts';
import { unavailable } from './trouble.ts';

/** How often a write is tried whose key changed hands meanwhile. */
const CONFLICT_TRIES = 3;

/** How long it is asked whether a write happened whose answer was lost, in milliseconds: nginx waits for 30 s. */
export const DOUBT_MS = 10_000;
const DOUBT_PAUSE_MS = 250;

/**
 * Writes of which one wins and the others know. An answer can be lost on its way, so a write that failed looks at what is there:
 * what was to be written means success, whoever saw the answer. For that each text must be unlike any other.
 */
export class ConditionalWrites {
  private etagForm: Promise<EtagForm> | undefined;

  constructor(
    private readonly bucket: Bucket,
    private readonly doubtMs: number,
  ) {}

  /** Writes an object that must not exist yet. Resolves with its etag, or undefined when another one is there. */
  create(key: string, text: string): Promise<string | undefined> {
    return this.write(key, text);
  }

  /** Writes an object in the place of one version of it. Resolves with its etag, or undefined when that version is not there. */
  replace(key: string, text: string, etag: string): Promise<string | undefined> {
    return this.write(key, text, etag);
  }

  /** @throws UnsafeServerError when the server does not keep to conditions; asked once, when first needed */
  async require(): Promise<EtagForm> {
    this.etagForm ??= this.learn();
    try {
      return await this.etagForm;
    } catch (error) {
      this.etagForm = undefined;
      throw unavailable(error);
    }
  }

  private async write(key: string, text: string, etag?: string): Promise<string | undefined> {
    const formOf = await this.require();
    const deadline = performance.now() + this.doubtMs;
    for (let tries = CONFLICT_TRIES; ; ) {
      const outcome = await this.bucket.tryWrite(key, text, etag === undefined ? { IfNoneMatch: '*' } : { IfMatch: formOf(etag) });
      if ('etag' in outcome) return outcome.etag;
      const look = await this.look(key);
      if (look?.there?.text === text) return look.there.etag;
      if (look && look.there?.etag !== etag) return undefined;
      if (outcome.isConflict && --tries <= 0) throw unavailable(outcome.error);
      if (performance.now() > deadline) throw unavailable(outcome.error);
      await pause(DOUBT_PAUSE_MS);
    }
  }

  /** What is there, or undefined when that cannot be told. */
  private look(key: string) {
    return this.bucket.get(key).then(
      (there) => ({ there }),
      () => undefined,
    );
  }

  private async learn(): Promise<EtagForm> {
    const key = keys.check();
    try {
      return await learnEtagForm((text, condition) => this.bucket.tryWrite(key, text, condition));
    } finally {
      await this.bucket.remove(key).catch(() => undefined);
    }
  }
}
