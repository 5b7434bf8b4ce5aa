import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { freePort } from './free-port.ts';

/** What the server does with a message. */
export type MailServerBehaviour =
  | 'accept'
  /** Refuse at a stage with a reply code. */
  | { readonly refuse: 'greeting' | 'sender' | 'recipient' | 'data'; readonly code: number }
  /** Take the whole message and say nothing. */
  | 'hang after data'
  /** Take responsibility, then end the connection before saying so. */
  | 'drop after accepting';

/** Is told, before the sender is, of each message that came whole. */
export interface MailObserver {
  taken(mail: ParsedMail, begunAt: number, wasDropped: boolean): void;
  refused(mail: ParsedMail): void;
}

/** Has a server keep messages as they come over the wire. */
export function keepRaw(messages: Buffer[]): NonNullable<SMTPServerOptions['onData']> {
  const keep = async (stream: Readable, done: () => void) => {
    messages.push(await buffer(stream));
    done();
  };
  return (stream, _session, done) => void keep(stream, done);
}

/** A real SMTP server that keeps what it took and can be told to misbehave. */
export class MailServer {
  /** Messages the server took responsibility for, parsed, in order; none where an observer has them. */
  readonly received: ParsedMail[] = [];
  behaviour: MailServerBehaviour = 'accept';
  /** How many messages `hang after data` still leaves without an answer; it accepts the others. */
  hangs = Infinity;
  /** Messages that were begun, taken or not. */
  attempts = 0;
  /** Addresses of all envelopes, in order. */
  readonly recipients: string[] = [];
  /** Whether each message that was begun came over TLS. */
  readonly encrypted: boolean[] = [];
  /** Connections that were ever made. */
  connections = 0;
  /** Messages that came whole and wait for the end of a hold. */
  held = 0;
  private holding: Promise<void> | undefined;
  private server: SMTPServer | undefined;
  private readonly sockets = new Set<Socket>();
  private observer: MailObserver = { taken: (mail) => this.received.push(mail), refused: () => undefined };

  readonly port: number;
  private readonly options: SMTPServerOptions;

  private constructor(port: number, options: SMTPServerOptions) {
    this.port = port;
    this.options = options;
  }

  static async start(options: SMTPServerOptions = {}, observer?: MailObserver): Promise<MailServer> {
    const server = await MailServer.reserve(options);
    if (observer) server.observer = observer;
    await server.start();
    return server;
  }

  /** A server that is not running (yet). */
  static async reserve(options: SMTPServerOptions = {}): Promise<MailServer> {
    return new MailServer(await freePort(), options);
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      onConnect: (_session, done) => done(this.refusalAt('greeting')),
      onMailFrom: (_address, { secure }, done) => {
        this.attempts++;
        this.encrypted.push(secure);
        done(this.refusalAt('sender'));
      },
      onRcptTo: ({ address }, _session, done) => {
        this.recipients.push(address);
        done(this.refusalAt('recipient'));
      },
      onData: (stream, _session, done) => void this.answer(stream, done),
      ...this.options,
    });
    this.server.on('error', () => undefined);
    this.server.server.on('connection', (socket: Socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server.server, 'listening');
    if ((this.server.server.address() as AddressInfo).port !== this.port) throw new Error('the port was lost');
  }

  /** Stops it at once: connections end, nothing listens. */
  async stop(): Promise<void> {
    const server = this.server;
    if (!server) return;
    this.server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.endConnections();
    await closed;
  }

  /** From now on a message that came whole is answered only after the release. */
  hold(): { release: () => void } {
    let release = () => {};
    this.holding = new Promise((resolve) => (release = resolve));
    return { release };
  }

  endConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private refusalAt(stage: string): Error | undefined {
    const { behaviour } = this;
    if (typeof behaviour === 'string' || behaviour.refuse !== stage) return undefined;
    return Object.assign(new Error('as told'), { responseCode: behaviour.code });
  }

  private async answer(stream: AsyncIterable<Buffer>, done: (error?: Error | null) => void): Promise<void> {
    try {
      const answer = await this.take(stream);
      if (answer !== 'silence') done(answer);
    } catch (error) {
      done(error as Error);
    }
  }

  private async take(stream: AsyncIterable<Buffer>): Promise<Error | undefined | 'silence'> {
    const begunAt = Date.now();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const mail = await simpleParser(Buffer.concat(chunks), { skipTextToHtml: true, skipHtmlToText: true });
    this.held++;
    await this.holding;
    this.held--;
    if (this.behaviour === 'hang after data' && this.hangs-- > 0) return 'silence';
    const refusal = this.refusalAt('data');
    if (refusal) {
      this.observer.refused(mail);
      return refusal;
    }
    const isDropped = this.behaviour === 'drop after accepting';
    this.observer.taken(mail, begunAt, isDropped);
    if (!isDropped) return undefined;
    this.endConnections();
    return 'silence';
  }
}
