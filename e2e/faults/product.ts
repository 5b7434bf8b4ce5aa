import { join } from 'node:path';
import { execa } from 'execa';
import { until } from '../../form-service/test/until.ts';
import { StackProcess } from '../harness/stack-process.ts';

/** Containers restart a process that was killed. */
const RESTARTING = { isRestarting: true };

/**
 * The product on one or more machines, which share database, résumés and Redis. Each is an `npm start`. Processes are named
 * `api`, `worker` and so on, those of the second machine `api-2`.
 */
export class Product {
  private readonly machines: readonly StackProcess[];

  private constructor(machines: readonly StackProcess[]) {
    this.machines = machines;
  }

  /** @param folder for logs, nginx and Redis */
  static async start(folder: string, settings: Readonly<Record<string, string>>, count = 1): Promise<Product> {
    // The load sets the address of each visitor.
    const all = { TRUSTED_PROXIES: '127.0.0.1', ...settings };
    const first = await StackProcess.start({ ...all, DATA_DIR: join(folder, 'machine-1') }, RESTARTING);
    const { REDIS_URL = '' } = first.connections;
    const others = Array.from({ length: count - 1 }, (_, at) =>
      StackProcess.start({ ...all, REDIS_URL, DATA_DIR: join(folder, `machine-${at + 2}`) }, RESTARTING),
    );
    return new Product([first, ...(await Promise.all(others))]);
  }

  get siteUrls(): readonly string[] {
    return this.machines.map(({ siteUrl }) => siteUrl);
  }

  /** Names of a process on all machines. */
  named(name: 'api' | 'worker' | 'nginx'): readonly string[] {
    return this.machines.map((_, at) => (at === 0 ? name : `${name}-${at + 1}`));
  }

  /** Deletes all data in Redis, as soon as it answers. */
  async wipeRedis(): Promise<void> {
    const { REDIS_URL = '' } = this.machines[0]?.connections ?? {};
    const flush = () => execa('redis-cli', ['-u', REDIS_URL, 'FLUSHALL'], { reject: false });
    await until('an answer to FLUSHALL', async () => (await flush()).stdout === 'OK');
  }

  /** Log files of a process on all machines. */
  logFiles(name: string): readonly string[] {
    return this.machines.map((machine) => machine.logFile(name));
  }

  /** Stops the machines gracefully, the one with Redis last. */
  async stop(): Promise<void> {
    for (const machine of this.machines.toReversed()) await machine.stop();
  }

  kill(): void {
    for (const machine of this.machines) machine.kill();
  }

  /** Returns the machine of a process, and its name there. */
  find(process: string): readonly [StackProcess, string] {
    const [name = '', number = '1'] = process.split('-');
    const machine = this.machines[Number(number) - 1];
    if (!machine) throw new Error(`There is no process ${process}.`);
    return [machine, name];
  }
}

/** URLs of an SQLite database and résumés in a folder. */
export function sqliteIn(folder: string): Record<'DATABASE_URL' | 'RESUMES_URL', string> {
  return { DATABASE_URL: `file:${join(folder, 'submissions.db')}`, RESUMES_URL: `file:${join(folder, 'resumes')}` };
}
