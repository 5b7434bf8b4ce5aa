import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Facts about a running stack for other commands. */
export interface Running {
  readonly pid: number;
  /** Environment of commands by variable name: URLs of database, files, queue, mail catcher, api and worker. */
  readonly connections: Readonly<Record<string, string>>;
}

const fileIn = (dataDir: string) => join(dataDir, 'run.json');

/** Writes `run.json` into the data folder. It has the URL of Redis and the like, so only this user reads it. */
export function writeRunFile(dataDir: string, running: Running): void {
  writeFileSync(fileIn(dataDir), JSON.stringify(running), { mode: 0o600 });
}

/** Returns what the stack of a data folder wrote, or undefined if none runs there. */
export function readRunFile(dataDir: string): Running | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Running;
  } catch {
    // No stack runs there, or the file is incomplete after a power cut.
    return undefined;
  }
}

export function removeRunFile(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}
