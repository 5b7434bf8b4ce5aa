import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Points of an SMTP session at which the server replies; `dot` is the end of the message. */
export type Step = 'greeting' | 'EHLO' | 'HELO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'dot' | 'QUIT';

/** Answer of the server at a step: raw bytes, or a function of the connection. */
export type Answer = string | ((socket: Socket) => unknown);

const ANSWERS: Readonly<Partial<Record<Step, Answer>>> = {
  greeting: '220 mail.example ESMTP\r\n',
  EHLO: '250-mail.example\r\n250 AUTH PLAIN\r\n',
  AUTH: '235 2.7.0 welcome\r\n',
  MAIL: '250 2.1.0 ok\r\n',
  RCPT: '250 2.1.5 ok\r\n',
  DATA: '354 go ahead\r\n',
  dot: '250 2.0.0 taken\r\n',
  QUIT: (socket) => socket.end('221 bye\r\n'),
};

/** A fake SMTP server with raw replies, for faults that server libraries cannot produce. */
export class ScriptedMailServer {
  /** Answers that override those of an ordinary server. */
  answers: Partial<Record<Step, Answer>> = {};
  /** Number of connections so far. */
  connections = 0;
  /** Commands of all connections, without their parameters. */
  readonly commands: string[] = [];
  /** Complete messages, and the number of lines of all messages. */
  readonly messages: string[] = [];
  receivedLines = 0;
  private readonly sockets = new Set<Socket>();

  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    server.on('connection', (socket) => void this.serve(socket).catch(() => undefined));
  }

  static async start(answers: Partial<Record<Step, Answer>> = {}): Promise<ScriptedMailServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const scripted = new ScriptedMailServer(server);
    scripted.answers = answers;
    return scripted;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Number of open connections. */
  get open(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(socket: Socket): Promise<void> {
    this.connections += 1;
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    this.answer('greeting', socket);
    let message: string[] | undefined;
    for await (const line of createInterface({ input: socket })) {
      if (message && line !== '.') {
        message.push(line);
        this.receivedLines += 1;
      } else if (message) {
        this.messages.push(message.join('\n'));
        message = undefined;
        this.answer('dot', socket);
      } else {
        const step = (line.split(' ')[0] ?? '').toUpperCase() as Step;
        this.commands.push(step);
        if (step === 'DATA') message = [];
        this.answer(step, socket);
      }
    }
  }

  private answer(step: Step, socket: Socket): void {
    const answer = this.answers[step] ?? ANSWERS[step] ?? '500 5.5.1 unknown command\r\n';
    if (typeof answer === 'string') socket.write(answer);
    else answer(socket);
  }
}
