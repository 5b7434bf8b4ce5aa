import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;

/** A mail server on the loopback address that takes everything at once and notes when. */
export class MailSink {
  /** When each message was taken, by the reference in it; on the clock of `performance.now()`. */
  readonly takenAt = new Map<string, number>();
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      onData: (stream, _session, done) => {
        let head = '';
        stream.on('data', (chunk: Buffer) => (head ||= chunk.toString('latin1')));
        stream.once('end', () => {
          this.takenAt.set(REFERENCE.exec(head)?.[0] ?? '', performance.now());
          done();
        });
      },
    });
  }

  static async start(): Promise<MailSink> {
    const sink = new MailSink();
    sink.#server.listen(0, '127.0.0.1');
    await once(sink.#server.server, 'listening');
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Resolves when so many messages have been taken. */
  async waitFor(count: number, deadlineMs: number): Promise<void> {
    const deadline = performance.now() + deadlineMs;
    while (this.takenAt.size < count) {
      if (performance.now() > deadline) throw new Error(`Only ${this.takenAt.size} of ${count} messages arrived`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
