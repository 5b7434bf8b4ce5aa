import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { freePorts } from '../../scripts/stack/ports.ts';
import { sendSignal } from '../../scripts/stack/process-group.ts';
import { CLEAN_ENVIRONMENT } from './clean-environment.ts';

/** A running `npm start` of its own: free ports, an empty data folder. */
export interface StackProcess {
  readonly siteUrl: string;
  readonly mailUrl: string;
  /** Holds `run/NAME.pid`, `log/NAME.log`, `submissions.db` and `resumes/`. */
  readonly dataDir: string;
  /** The process that keeps the others running. */
  readonly pid: number;
  /** What it has said so far. */
  output(): string;
  /** Closes the pipe that it writes to, as a terminal does that is closed. */
  stopReading(): void;
  /** Stops it in order, and removes its data. Throws when it does not end well. */
  stop(): Promise<void>;
  /** Ends it and all that it has started at once, and leaves the data. */
  kill(): void;
}

interface Start {
  /** The work tree; ours unless given. */
  readonly root?: string;
  /** As `npm run dev` does it. */
  readonly isWatching?: boolean;
}

type Settings = Readonly<Record<string, string>>;

const root = fileURLToPath(new URL('../..', import.meta.url));
const READY_DEADLINE_MS = 240_000;

/** What ends each stack that was started and not stopped, by its data folder. */
const left = new Map<string, () => void>();

// However a test ends: one that fails half way, or that has killed the process that would have stopped the others.
process.once('exit', () => {
  for (const [dataDir, kill] of left) {
    kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Starts a stack; `settings` are further variables, for example a limit. Throws with its output when it does not start. */
export async function startStack(settings: Settings = {}, options?: Start): Promise<StackProcess> {
  const [port, mailPort] = await freePorts(2);
  const own = {
    DATA_DIR: settings.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'kitewright-e2e-')),
    PORT: String(port),
    MAIL_UI_PORT: String(mailPort),
    ...settings,
  };
  const dataDir = own.DATA_DIR;
  const child = run(own, options);
  // Noted while the disk can be read, which a test may change.
  let leaders: readonly number[] = [];
  const kill = () => {
    child.kill('SIGKILL');
    for (const leader of new Set([...leaders, ...leadersIn(dataDir)])) sendSignal(-leader, 'SIGKILL');
  };
  left.set(dataDir, kill);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (what: string) => () => reject(new Error(`${what}:\n${output}`));
    const deadline = setTimeout(fail('The stack is not ready in time'), READY_DEADLINE_MS);
    void child.finally(() => clearTimeout(deadline)).finally(fail('The stack did not start'));
    child.all.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/^Ready\.$/m.test(output)) resolve(clearTimeout(deadline));
    });
  });
  leaders = leadersIn(dataDir);
  return {
    siteUrl: `http://127.0.0.1:${own.PORT}`,
    mailUrl: `http://127.0.0.1:${own.MAIL_UI_PORT}`,
    dataDir,
    pid: child.pid ?? 0,
    output: () => output,
    stopReading: () => void [child.stdout, child.stderr].map((stream) => stream.destroy()),
    async stop() {
      child.kill('SIGTERM');
      const { exitCode } = await child;
      if (exitCode !== 0) throw new Error(`The stack ended with status ${exitCode}:\n${output}`);
      left.delete(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
    kill,
  };
}

/** Runs a start that is expected to give up, and returns how it ended. */
export async function failToStart(settings: Settings): Promise<{ code: number; errors: string }> {
  const { exitCode, stderr } = await run(settings);
  return { code: Number(exitCode), errors: stderr };
}

/** The processes of a stack that lead a group each. */
function leadersIn(dataDir: string): number[] {
  const folder = join(dataDir, 'run');
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.pid'));
    return files.map((name) => Number(readFileSync(join(folder, name), 'utf8')));
  } catch {
    // It has not come so far, or everything has been stopped.
    return [];
  }
}

function run(settings: Settings, { root: cwd = root, isWatching = false }: Start = {}) {
  const env = { ...CLEAN_ENVIRONMENT, RATE_LIMIT_PER_MINUTE: '100000', ...settings };
  const start = ['scripts/run.mjs', 'scripts/stack/start.ts', ...(isWatching ? ['--watch'] : [])];
  const options = { cwd, env, stdin: 'ignore', all: true, reject: false, stripFinalNewline: false } as const;
  return execa(process.execPath, start, options);
}
