import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Where a command writes: results to one stream, words about them to the other, so that results can be piped. */
export class Terminal {
  constructor(
    readonly stdout: Writable & { readonly isTTY?: boolean },
    private readonly stderr: Writable,
  ) {}

  /** Waits while the reader is slow. */
  async print(text: string): Promise<void> {
    if (!this.stdout.write(text)) await once(this.stdout, 'drain');
  }

  async printLine(text: string): Promise<void> {
    await this.print(`${text}\n`);
  }

  async printJson(value: unknown): Promise<void> {
    await this.printLine(JSON.stringify(value, null, 2));
  }

  note(text: string): void {
    this.stderr.write(`${text}\n`);
  }
}
