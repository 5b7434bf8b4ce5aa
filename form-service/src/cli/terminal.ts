import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { Writable } from 'node:stream';
import { InvalidArgumentError } from 'commander';

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

  /** Prints a JSON array as a stream. */
  async printArray(items: AsyncIterable<unknown>): Promise<void> {
    let line: string | undefined;
    for await (const item of items) {
      await this.printLine(line === undefined ? '[' : `${line},`);
      line = JSON.stringify(item);
    }
    await this.printLine(line === undefined ? '[]' : `${line}\n]`);
  }

  note(text: string): void {
    this.stderr.write(`${text}\n`);
  }

  /**
   * Opens the stream for binary output: a new file, or standard output. Leaves no file if the work fails.
   *
   * @throws OperatorError if the output would go to a terminal
   */
  async writeBytes(
    out: string | undefined,
    work: (to: Writable, options: { readonly end: boolean }) => Promise<unknown>,
  ): Promise<void> {
    if (!out && this.stdout.isTTY)
      throw new OperatorError('The output is binary and is not written to a terminal. Add "> FILE".', EXIT.usage);
    if (!out) return void (await work(this.stdout, { end: false }));
    const file = createWriteStream(out, { flags: 'wx', flush: true });
    await once(file, 'open');
    try {
      await work(file, { end: true });
    } catch (error) {
      file.destroy();
      await rm(out);
      throw error;
    }
  }
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** Parses `30s`, `5m`, `2h` or `3d` into milliseconds. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  const [, amount, letter] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const unit = UNITS.find(([name]) => name === letter);
  if (!unit) throw new InvalidArgumentError('A duration is a whole number and s, m, h or d, for example 5m.');
  return Number(amount) * unit[1];
}

/** Formats a duration in its largest whole unit, for example `3h`. */
export function formatDuration(ms: number): string {
  const [letter, size] = UNITS.find(([, size]) => ms >= size) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(ms / size))}${letter}`;
}

/** @throws InvalidArgumentError if a text is no e-mail address */
export function parseAddress(text: string): string {
  if (!text.includes('@')) throw new InvalidArgumentError('It is not an e-mail address.');
  return text;
}

/** Formats a line of the audit log: who did what to which submissions. */
export function auditLine(event: 'erased' | 'exported', references: readonly string[], at = Date.now()): string {
  return JSON.stringify({ event, at: new Date(at), by: operatorName(), count: references.length, references });
}

/** Returns the operating system's name of the person who runs the command. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container can run under an id that has no name.
    return `uid ${process.getuid?.()}`;
  }
}
