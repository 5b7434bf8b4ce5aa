import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../../scripts/stack/ports.ts';
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
}

interface Start {
  /** The work tree; ours unless given. */
  readonly root?: string;
  /** As `npm run dev` does it. */
  readonly isWatching?: boolean;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const READY_DEADLINE_MS = 240_000;

/** Starts a stack; `settings` are further variables, for example a limit. Throws with its output when it does not start. */
export async function startStack(
  settings: Readonly<Record<string, string>> = {},
  options?: Start,
): Promise<StackProcess> {
  const [port, mailPort] = await freePorts(2);
  const own = {
    DATA_DIR: mkdtempSync(join(tmpdir(), 'kitewright-e2e-')),
    PORT: String(port),
    MAIL_UI_PORT: String(mailPort),
    ...settings,
  };
  const dataDir = own.DATA_DIR;
  const child = spawnStart(own, options);
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(
      () => reject(new Error(`The stack is not ready in time:\n${output}`)),
      READY_DEADLINE_MS,
    );
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!/^Ready\.$/m.test(output)) return;
      clearTimeout(deadline);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => {
      clearTimeout(deadline);
      reject(new Error(`The stack did not start:\n${output}`));
    });
  });
  try {
    await ready;
  } catch (error) {
    child.kill('SIGTERM');
    throw error;
  }
  return {
    siteUrl: `http://127.0.0.1:${own.PORT}`,
    mailUrl: `http://127.0.0.1:${own.MAIL_UI_PORT}`,
    dataDir,
    pid: child.pid ?? 0,
    output: () => output,
    stopReading: () => void [child.stdout, child.stderr].map((stream) => stream.destroy()),
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      const [code] = await ended;
      if (code !== 0) throw new Error(`The stack ended with status ${code}:\n${output}`);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs a start that is expected to give up, and returns how it ended. */
export async function failToStart(
  settings: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string; errors: string }> {
  const child = spawnStart(settings);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = await once(child, 'close');
  return { code: Number(code), output, errors };
}

function spawnStart(
  settings: Readonly<Record<string, string>>,
  { root: cwd = root, isWatching = false }: Start = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const env = { ...process.env, ...CLEAN_ENVIRONMENT, RATE_LIMIT_PER_MINUTE: '100000', ...settings };
  const start = ['scripts/run.mjs', 'scripts/stack/start.ts', ...(isWatching ? ['--watch'] : [])];
  return spawn(process.execPath, start, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env });
}
