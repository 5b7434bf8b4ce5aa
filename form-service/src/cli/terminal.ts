import { once } from 'node:events';
import { userInfo } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** Exit codes of the commands; `submissions --help` explains them. */
export const EXIT = { ok: 0, failure: 1, usage: 2, notFound: 3, wrongState: 4, busy: 5, incomplete: 6 } as const;

/** A command failed. The message tells the operator what is wrong and what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';

  constructor(
    message: string,
    readonly exitCode: (typeof EXIT)[keyof typeof EXIT],
  ) {
    super(message);
  }
}

/** Output of a command. Results and messages have a stream each, so that results can be piped. */
export class Terminal {
  constructor(
    readonly stdout: Writable & { readonly isTTY?: boolean },
    private readonly stderr: Writable,
  ) {}

  /** Prints a line, and waits while the reader is slow (back pressure). */
  async printLine(text: string): Promise<void> {
    if (!this.stdout.write(`${text}\n`)) await once(this.stdout, 'drain');
  }

  note(text: string): void {
    this.stderr.write(`${text}\n`);
  }

  /**
   * Writes a stream of bytes to standard output.
   *
   * @throws OperatorError if the output would go to a terminal
   */
  async writeBytes(from: Readable | ReadableStream): Promise<void> {
    if (this.stdout.isTTY)
      throw new OperatorError('The output is binary and is not written to a terminal. Add "> FILE".', EXIT.usage);
    await pipeline(from, this.stdout, { end: false });
  }
}

/** Formats a line of the audit log: who did what to which submissions. */
export function auditLine(event: 'erased' | 'exported', references: readonly string[]): string {
  return JSON.stringify({ event, at: new Date(), by: operatorName(), count: references.length, references });
}

/** Returns the operating system's name of the person who runs the command. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container can run under an id that has no name.
    return `uid ${process.getuid?.()}`;
  }
}
