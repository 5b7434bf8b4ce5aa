import { createHash } from 'node:crypto';
import { simpleParser, type ParsedMail } from 'mailparser';
import { MailServer } from '../../form-service/test/mail-server.ts';
import { numberOfAddress } from './visitors.ts';

/** How the server treats messages: takes them, or one of the troubles a real one has. */
export type Mood =
  | 'well'
  /** "Closing down", before the message is sent. */
  | '421'
  /** "Not now", when it has the whole message. */
  | '451'
  /** "Never", when it has the whole message. */
  | '550'
  /** Has the whole message, takes it not, and says nothing, for some; takes the others. */
  | 'hang after data'
  /** Has taken the message, and ends the connection before saying so. */
  | 'drop after accepting';

/** A message that the server has taken responsibility for. Holds no text of it. */
export interface Arrival {
  readonly reference: string;
  readonly messageId: string;
  /** Number of the visitor who gets the answer to it. */
  readonly visitor: number;
  /** The decoded text holds all of it. */
  readonly hasMarks: (marks: readonly string[]) => boolean;
  /** Digests of the attachments. */
  readonly sha256: readonly string[];
  /** When its sender began, and when it was taken, in milliseconds since the epoch. */
  readonly begunAt: number;
  readonly at: number;
  /** The server was told to end the connection before its reply. */
  readonly wasDropped: boolean;
}

/** Called at once when a message was taken, or refused for good. */
export interface MailObserver {
  arrived(arrival: Arrival): void;
  wasRefusedForGood(reference: string): void;
}

const REFERENCE = /KW(?:-[0-9A-Z]{4}){4}/;
const MESSAGE_MAX_BYTES = 50_000_000;

/** Connections that hang in one go: each holds one of the worker's few for its whole time-out. */
const HANGS_AT_ONCE = 2;

/** A real SMTP server that keeps digests of what it took, and can be told to misbehave or be away. */
export class SmtpSink {
  #mood: Mood = 'well';
  #hangs = 0;
  #held: Promise<void> | undefined;
  #onArrival: (() => void) | undefined;
  readonly #observer: MailObserver;
  readonly #server: Promise<MailServer>;

  constructor(observer: MailObserver) {
    this.#observer = observer;
    this.#server = MailServer.reserve({
      size: MESSAGE_MAX_BYTES,
      onConnect: (_session, done) => done(),
      onMailFrom: (_address, _session, done) => done(this.#mood === '421' ? reply(421) : null),
      onRcptTo: (_address, _session, done) => done(),
      onData: (stream, _session, done) => void this.#receive(stream, done),
    });
  }

  /** From now on. */
  behave(mood: Mood): void {
    this.#mood = mood;
    this.#hangs = HANGS_AT_ONCE;
  }

  /** From now on a message that was taken is answered only after the release. */
  hold(): () => void {
    let release = () => {};
    this.#held = new Promise((resolve) => (release = resolve));
    return release;
  }

  /** Resolves at the moment the next message is taken, when its sender does not know yet. */
  nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#onArrival = resolve;
    });
  }

  /** Listens, always at the same port. Resolves with the URL. */
  async start(): Promise<string> {
    const server = await this.#server;
    await server.start();
    return server.url;
  }

  /** Ends every connection, whatever it is about, and listens no more. */
  async stop(): Promise<void> {
    await (await this.#server).stop();
  }

  /** Replies to a message, unless its sender is gone, or is to wait in vain. */
  async #receive(stream: AsyncIterable<Buffer>, done: (error?: Error | null) => void): Promise<void> {
    const begunAt = Date.now();
    const mail = await read(stream);
    const mood = this.#mood;
    if (mail === undefined || (mood === 'hang after data' && this.#hangs-- > 0)) return;
    const arrival = arrivalOf(mail, begunAt, mood === 'drop after accepting');
    if (mood === '550') this.#observer.wasRefusedForGood(arrival.reference);
    if (mood === '550' || mood === '451') return done(reply(Number(mood)));
    this.#observer.arrived(arrival);
    this.#onArrival?.();
    await this.#held;
    if (arrival.wasDropped) (await this.#server).endConnections();
    else done();
  }
}

/** The parsed message, or undefined when the connection ended before the message did. */
async function read(stream: AsyncIterable<Buffer>): Promise<ParsedMail | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch {
    return undefined;
  }
  return simpleParser(Buffer.concat(chunks), {
    skipTextToHtml: true,
    skipHtmlToText: true,
    skipImageLinks: true,
    skipTextLinks: true,
  });
}

function arrivalOf(mail: ParsedMail, begunAt: number, wasDropped: boolean): Arrival {
  const messageId = mail.messageId ?? '';
  const texts = [mail.text ?? '', mail.headers.get('subject'), mail.replyTo?.value[0]?.address].join('\n');
  return {
    reference: REFERENCE.exec(messageId)?.[0] ?? '',
    messageId,
    visitor: numberOfAddress(mail.replyTo?.value[0]?.address ?? ''),
    hasMarks: (marks) => marks.every((mark) => texts.includes(mark)),
    sha256: mail.attachments.map(({ content }) => createHash('sha256').update(content).digest('hex')),
    begunAt,
    at: Date.now(),
    wasDropped,
  };
}

function reply(responseCode: number): Error {
  return Object.assign(new Error('as told'), { responseCode });
}
