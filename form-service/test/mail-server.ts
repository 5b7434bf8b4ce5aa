import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { freePort } from './free-port.ts';

/** Behaviour of the server with a message. */
export type MailServerBehaviour =
  | 'accept'
  /** Reject at a stage with a reply code; at the stage `data` only messages whose text matches, if given. */
  | { readonly refuse: 'sender' | 'recipient' | 'data'; readonly code: number; readonly text?: RegExp }
  /** Receive the whole message and send no reply until {@link MailServer.endHangs}. */
  | 'hang after data'
  /** Accept the message, then end the connection before the reply. */
  | 'drop after accepting';

/** Notified of each complete message, before the reply. */
export interface MailObserver {
  taken(mail: ParsedMail, begunAt: number, wasDropped: boolean): void;
  refused(mail: ParsedMail): void;
}

/** A real SMTP server that stores accepted messages and can simulate faults. */
export class MailServer {
  /** Accepted messages, parsed, in order; empty with an observer. */
  readonly received: ParsedMail[] = [];
  behaviour: MailServerBehaviour = 'accept';
  /** Returns the reply that refuses a complete message, with code and enhanced code; undefined accepts it. */
  refusalOf: (mail: ParsedMail) => string | undefined = () => undefined;
  /** Number of messages that `hang after data` leaves without a reply; it accepts the others. */
  hangs = Infinity;
  /** Number of MAIL commands. */
  attempts = 0;
  /** Recipients of all envelopes, in order. */
  readonly recipients: string[] = [];
  /** Whether TLS was used, for each MAIL command. */
  readonly encrypted: boolean[] = [];
  /** Number of connections so far. */
  connections = 0;
  /** Number of complete messages that wait for a reply. */
  held = 0;
  private holding: Promise<void> | undefined;
  private readonly hanging = new Set<() => void>();
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

  /** Creates a server that is not started. */
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
    if ((this.server.server.address() as AddressInfo).port !== this.port)
      throw new Error(`Port ${this.port} is in use.`);
  }

  /** Stops the server and ends its connections. */
  async stop(): Promise<void> {
    const server = this.server;
    if (!server) return;
    this.server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.endConnections();
    await closed;
  }

  /** Delays the replies to complete messages until the release. */
  hold(): { release: () => void } {
    let release = () => {};
    this.holding = new Promise((resolve) => (release = resolve));
    return { release };
  }

  /** Replies 451 to the messages that hang. */
  endHangs(): void {
    for (const resolve of this.hanging) resolve();
    this.hanging.clear();
  }

  endConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private refusalAt(stage: string): Error | undefined {
    const { behaviour } = this;
    if (typeof behaviour === 'string' || behaviour.refuse !== stage) return undefined;
    return Object.assign(new Error('rejected by the test'), { responseCode: behaviour.code });
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
    if (this.behaviour === 'hang after data' && this.hangs-- > 0) {
      await new Promise<void>((resolve) => this.hanging.add(resolve));
      return Object.assign(new Error('try again later'), { responseCode: 451 });
    }
    const { behaviour } = this;
    const isMeant = typeof behaviour === 'string' || (behaviour.text?.test(mail.text ?? '') ?? true);
    const [, code, words] = /^(\d{3}) (.*)/.exec(this.refusalOf(mail) ?? '') ?? [];
    const own = code && Object.assign(new Error(words), { responseCode: Number(code) });
    const refusal = own || (isMeant ? this.refusalAt('data') : undefined);
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
