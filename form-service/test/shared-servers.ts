import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from '../../scripts/stack/lock.ts';
import { sendSignal } from '../../scripts/stack/stack-process.ts';

/** Variable with the folder of this run's shared servers. */
const FOLDER = 'KITEWRIGHT_SHARED_SERVERS';

/** A server that all test files of a run share. */
export interface SharedServer {
  readonly port: number;
  /** Processes to end after the run, unless they ended with the test process that started them. */
  readonly pids: readonly number[];
}

const known = new Map<string, Promise<SharedServer>>();

/** Returns a shared server of this run. The first caller starts it, in a folder that is removed after the run. */
export function sharedServer(name: string, start: (folder: string) => Promise<SharedServer>): Promise<SharedServer> {
  const server = known.get(name) ?? startOnce(name, start);
  known.set(name, server);
  return server;
}

async function startOnce(name: string, start: (folder: string) => Promise<SharedServer>): Promise<SharedServer> {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error(`${FOLDER} is not set. The global setup of the integration tests sets it.`);
  const unlock = await waitForLock(join(folder, `${name}.lock`));
  try {
    const file = join(folder, `${name}.json`);
    if (!existsSync(file)) writeFileSync(file, JSON.stringify(await start(folder)));
    return JSON.parse(readFileSync(file, 'utf8')) as SharedServer;
  } finally {
    unlock();
  }
}

export function useSharedServers(folder: string): void {
  process.env[FOLDER] = folder;
}

/** Ends the shared servers of a run. @returns their folder */
export function stopSharedServers(): string {
  const folder = process.env[FOLDER] ?? '';
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')))
    for (const pid of (JSON.parse(readFileSync(join(folder, file), 'utf8')) as SharedServer).pids)
      sendSignal(pid, 'SIGKILL');
  return folder;
}
