import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { until } from '../../form-service/test/until.ts';
import { makeFolderInMemory } from '../../test-support/temporary-folder.ts';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { sendSignal } from '../../scripts/stack/stack-process.ts';
import { readRunFile } from '../../scripts/stack/run-file.ts';
import { CLEAN_ENVIRONMENT } from './clean-environment.ts';

interface Start {
  /** Path of the checkout; default this one. */
  readonly root?: string;
  /** Whether to start as `npm run dev` does. */
  readonly isWatching?: boolean;
  /** Whether processes that are killed start again. */
  readonly isRestarting?: boolean;
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string>>;

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** High enough that no test reaches the limit. */
const RATE_LIMIT_PER_MINUTE = '1000000';

/** Running stacks, and temporary folders. */
const running = new Set<StackProcess>();
const folders = new Set<string>();

// Cleans up after a test that failed or killed its supervisor.
process.once('exit', () => {
  for (const stack of running) stack.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A running `npm start` on free ports, with methods that kill and freeze its processes. */
export class StackProcess {
  readonly siteUrl: string;
  readonly mailUrl: string;
  /** Contains `run.json`, `log/NAME.log` and, by default, `submissions.db` and `resumes/`. */
  readonly dataDir: string;
  /** Output until now. */
  output = '';
  private readonly child: ReturnType<typeof run>;

  private constructor(settings: Record<'DATA_DIR' | 'PORT' | 'MAIL_UI_PORT', string>, start: Start) {
    this.siteUrl = `http://127.0.0.1:${settings.PORT}`;
    this.mailUrl = `http://127.0.0.1:${settings.MAIL_UI_PORT}`;
    this.dataDir = settings.DATA_DIR;
    this.child = run(settings, start);
  }

  /** Starts a stack with additional environment variables. Throws its output if it does not start. */
  static async start(settings: Environment = {}, options: Start = {}): Promise<StackProcess> {
    const [port, mailPort] = await freePorts(2);
    const DATA_DIR = settings.DATA_DIR ?? makeFolderInMemory();
    if (settings.DATA_DIR === undefined) folders.add(DATA_DIR);
    const stack = new StackProcess({ PORT: `${port}`, MAIL_UI_PORT: `${mailPort}`, ...settings, DATA_DIR }, options);
    running.add(stack);
    stack.child.all.on('data', (chunk: Buffer) => (stack.output += chunk.toString()));
    const isOver = stack.child.then(() => true);
    const isReady = () => /^Ready\.$/m.test(stack.output);
    // No timeout: the build can take long, and the stack exits by itself if a process does not start.
    while (!isReady())
      if (await Promise.race([isOver, pause(20, false)])) throw new Error(`The stack did not start:\n${stack.output}`);
    return stack;
  }

  /** Pid of the supervisor. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Returns the pid of `api`, `worker`, `redis`, `nginx` or `mail`. Waits while it restarts. */
  pidOf(name: string): Promise<number> {
    return until(
      `a running ${name}`,
      () => childrenOf(this.pid).find(([, command]) => PROGRAMS[name]?.test(command))?.[0],
    );
  }

  /** Kills a process. */
  async killProcess(name: string): Promise<void> {
    sendSignal(await this.pidOf(name), 'SIGKILL');
  }

  /** Suspends a process and its children. Returns a function that resumes them. */
  async freeze(name: string): Promise<() => void> {
    const pid = await this.pidOf(name);
    sendSignal(-pid, 'SIGSTOP');
    return () => sendSignal(-pid, 'SIGCONT');
  }

  logFile(name: string): string {
    return join(this.dataDir, 'log', `${name}.log`);
  }

  /** URLs of database, files and queue, by variable name. */
  get connections(): Environment {
    return readRunFile(this.dataDir)?.connections ?? {};
  }

  /** Stops the stack gracefully. Throws if its exit code is not 0. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const { exitCode } = await this.child;
    if (exitCode !== 0) throw new Error(`The stack ended with status ${exitCode}:\n${this.output}`);
    running.delete(this);
  }

  /** Waits until the stack has ended by itself. Returns its exit code. */
  async ended(): Promise<number | undefined> {
    const { exitCode } = await this.child;
    running.delete(this);
    return exitCode;
  }

  /** Kills all processes. */
  kill(): void {
    for (const [pid] of childrenOf(this.pid)) sendSignal(-pid, 'SIGKILL');
    this.child.kill('SIGKILL');
    running.delete(this);
  }
}

/** Runs a start that must fail, and returns its exit code and errors. */
export async function failToStart(settings: Environment, start: Start = {}): Promise<{ code: number; errors: string }> {
  const { exitCode, stderr } = await run(settings, start);
  return { code: Number(exitCode), errors: stderr };
}

/** Programs of the processes of a stack. */
const PROGRAMS: Readonly<Record<string, RegExp>> = {
  api: /dist\/api\.js/,
  worker: /dist\/worker\.js/,
  redis: /redis-server/,
  nginx: /^nginx: master|nginx -c/,
  mail: /mail-catcher/,
};

/** Returns pid and command of each child of a process. */
function childrenOf(parent: number): (readonly [pid: number, command: string])[] {
  const { stdout } = spawnSync('ps', ['-ww', '--ppid', String(parent), '-o', 'pid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command = ''] = /^ *(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [[Number(pid), command] as const];
  });
}

function run(settings: Environment, { root: cwd = root, isWatching = false, isRestarting = false }: Start) {
  // A test's own mail server gets mails to the addresses of the example.
  const env = { ...CLEAN_ENVIRONMENT, NODE_ENV: 'development', RATE_LIMIT_PER_MINUTE, ...settings };
  const start = [
    'scripts/run.mjs',
    'scripts/stack/start.ts',
    ...(isWatching ? ['--watch'] : []),
    ...(isRestarting ? ['--restart'] : []),
  ];
  return execa(...endingWithParent('SIGTERM', process.execPath, start), {
    cwd,
    env,
    stdin: 'ignore',
    all: true,
    reject: false,
    stripFinalNewline: false,
    // The supervisor kills processes that do not stop. If it were killed itself, they would remain.
    forceKillAfterDelay: false,
  });
}
