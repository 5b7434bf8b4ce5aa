import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { until } from '../../form-service/test/until.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { sendSignal } from '../../scripts/stack/process-group.ts';
import { CLEAN_ENVIRONMENT } from './clean-environment.ts';

interface Start {
  /** The work tree; ours unless given. */
  readonly root?: string;
  /** As `npm run dev` does it. */
  readonly isWatching?: boolean;
}

type Settings = Readonly<Record<string, string>>;

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** More than anybody here sends in a minute: what is tested is not the limit. */
const RATE_LIMIT_PER_MINUTE = '1000000';

/** Stacks that were started and not stopped, and folders that were made for them. */
const left = new Set<StackProcess>();
const folders = new Set<string>();

// However a test ends: one that fails half way, or that has killed the process that would have stopped the others.
process.once('exit', () => {
  for (const stack of left) stack.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A running `npm start` on free ports, in the hands of somebody who breaks it. */
export class StackProcess {
  readonly siteUrl: string;
  readonly mailUrl: string;
  /** Holds `run/NAME.pid`, `log/NAME.log` and, unless the settings say otherwise, `submissions.db` and `resumes/`. */
  readonly dataDir: string;
  /** What it has said so far. */
  output = '';
  private readonly child: ReturnType<typeof run>;
  /** Noted while the disk can be read, which a test may change. */
  private leaders: readonly number[] = [];

  private constructor(settings: Record<'DATA_DIR' | 'PORT' | 'MAIL_UI_PORT', string>, start: Start) {
    this.siteUrl = `http://127.0.0.1:${settings.PORT}`;
    this.mailUrl = `http://127.0.0.1:${settings.MAIL_UI_PORT}`;
    this.dataDir = settings.DATA_DIR;
    this.child = run(settings, start);
  }

  /** Starts one; `settings` are further variables, for example `DATA_DIR`. Throws with its output when it does not start. */
  static async start(settings: Settings = {}, options: Start = {}): Promise<StackProcess> {
    const [port, mailPort] = await freePorts(2);
    const DATA_DIR = settings.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'kitewright-e2e-'));
    if (settings.DATA_DIR === undefined) folders.add(DATA_DIR);
    const stack = new StackProcess({ PORT: `${port}`, MAIL_UI_PORT: `${mailPort}`, ...settings, DATA_DIR }, options);
    left.add(stack);
    stack.child.all.on('data', (chunk: Buffer) => (stack.output += chunk.toString()));
    const isOver = stack.child.then(() => true);
    const isReady = () => /^Ready\.$/m.test(stack.output);
    // It builds what has changed, however long that takes, and gives up by itself when something does not start.
    while (!isReady())
      if (await Promise.race([isOver, pause(20, false)])) throw new Error(`The stack did not start:\n${stack.output}`);
    stack.leaders = leadersIn(DATA_DIR);
    return stack;
  }

  /** The process that keeps the others running. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Of `api`, `worker`, `redis`, `nginx` or `mail`; waits for one that is just being started again. */
  pidOf(name: string): Promise<number> {
    return until(`a running ${name}`, () => pidsIn(this.dataDir, `${name}.pid`)[0]);
  }

  /** Kills one of them at once; the supervisor starts it again. */
  async killProcess(name: string): Promise<void> {
    sendSignal(await this.pidOf(name), 'SIGKILL');
  }

  /** Stops one of them, and what it has started, in its tracks, until it is woken. */
  async freeze(name: string): Promise<() => void> {
    const pid = await this.pidOf(name);
    sendSignal(-pid, 'SIGSTOP');
    return () => sendSignal(-pid, 'SIGCONT');
  }

  logFile(name: string): string {
    return join(this.dataDir, 'log', `${name}.log`);
  }

  /** Where it has its database, files and queue, by the names of the variables. */
  get connections(): Settings {
    const register = readFileSync(join(this.dataDir, 'run/stack.json'), 'utf8');
    return (JSON.parse(register) as { readonly connections: Settings }).connections;
  }

  /** Closes the pipe that it writes to, as a terminal does that is closed. */
  stopReading(): void {
    for (const stream of [this.child.stdout, this.child.stderr]) stream.destroy();
  }

  /** Stops it in order. Throws when it does not end well. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const { exitCode } = await this.child;
    if (exitCode !== 0) throw new Error(`The stack ended with status ${exitCode}:\n${this.output}`);
    left.delete(this);
  }

  /** Ends it and all that it has started at once. */
  kill(): void {
    this.child.kill('SIGKILL');
    for (const leader of new Set([...this.leaders, ...leadersIn(this.dataDir)])) sendSignal(-leader, 'SIGKILL');
    left.delete(this);
  }
}

/** Runs a start that is expected to give up, and returns how it ended. */
export async function failToStart(settings: Settings): Promise<{ code: number; errors: string }> {
  const { exitCode, stderr } = await run(settings, {});
  return { code: Number(exitCode), errors: stderr };
}

/** The processes of a stack that lead a group each. */
const leadersIn = (dataDir: string) => pidsIn(dataDir, '.pid');

function pidsIn(dataDir: string, ending: string): number[] {
  const folder = join(dataDir, 'run');
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith(ending));
    return files.map((name) => Number(readFileSync(join(folder, name), 'utf8'))).filter(Boolean);
  } catch {
    // It has not come so far, everything has been stopped, or one is just being started again.
    return [];
  }
}

function run(settings: Settings, { root: cwd = root, isWatching = false }: Start) {
  const env = { ...CLEAN_ENVIRONMENT, RATE_LIMIT_PER_MINUTE, ...settings };
  const start = ['scripts/run.mjs', 'scripts/stack/start.ts', ...(isWatching ? ['--watch'] : [])];
  const options = { cwd, env, stdin: 'ignore', all: true, reject: false, stripFinalNewline: false } as const;
  return execa(process.execPath, start, options);
}
