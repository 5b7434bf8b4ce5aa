import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks questions in a terminal. */
export class Terminal {
  readonly #lines: Interface;
  #isMuted = false;
  #isClosed = false;

  /** @param onEnd called if the user ends the questions with Ctrl-C or Ctrl-D */
  constructor(onEnd: () => never) {
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!this.#isMuted) process.stdout.write(chunk);
        done();
      },
    });
    this.#lines = createInterface({ input: process.stdin, output, terminal: true });
    this.#lines.on('close', () => this.#isClosed || onEnd());
  }

  async ask(question: string): Promise<string> {
    return (await this.#lines.question(question)).trim();
  }

  /** Asks for an answer that the terminal does not show. */
  async askSecretly(question: string): Promise<string> {
    process.stdout.write(question);
    this.#isMuted = true;
    const answer = await this.ask('');
    this.#isMuted = false;
    process.stdout.write('\n');
    return answer;
  }

  close(): void {
    this.#isClosed = true;
    this.#lines.close();
  }
}
