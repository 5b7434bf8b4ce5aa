import { join } from 'node:path';
import { execa } from 'execa';
import { until } from '../../form-service/test/until.ts';
import { StackProcess } from '../harness/stack-process.ts';

/**
 * The product on one machine, or on several that share database, résumés and Redis: each is an `npm start` of its own. Their
 * processes are `api`, `worker` and so on, those of the second machine `api-2`; all of it in the hands of somebody who breaks it.
 */
export class Product {
  private readonly machines: readonly StackProcess[];

  private constructor(machines: readonly StackProcess[]) {
    this.machines = machines;
  }

  /** @param folder for logs, pid files, nginx and Redis */
  static async start(folder: string, settings: Readonly<Record<string, string>>, count = 1): Promise<Product> {
    // Visitors' addresses are what the load says they are.
    const all = { TRUSTED_PROXIES: '127.0.0.1', UPLOAD_BYTES_PER_HOUR: String(2 ** 40), ...settings };
    const first = await StackProcess.start({ ...all, DATA_DIR: join(folder, 'machine-1') });
    const { REDIS_URL = '' } = first.connections;
    const others = Array.from({ length: count - 1 }, (_, at) =>
      StackProcess.start({ ...all, REDIS_URL, DATA_DIR: join(folder, `machine-${at + 2}`) }),
    );
    return new Product([first, ...(await Promise.all(others))]);
  }

  get siteUrls(): readonly string[] {
    return this.machines.map(({ siteUrl }) => siteUrl);
  }

  /** What runs of a name on each machine. */
  named(name: 'api' | 'worker' | 'nginx'): readonly string[] {
    return this.machines.map((_, at) => (at === 0 ? name : `${name}-${at + 1}`));
  }

  /** Removes everything in Redis, as soon as it answers. */
  async wipeRedis(): Promise<void> {
    const { REDIS_URL = '' } = this.machines[0]?.connections ?? {};
    const flush = () => execa('redis-cli', ['-u', REDIS_URL, 'FLUSHALL'], { reject: false });
    await until('an answer to FLUSHALL', async () => (await flush()).stdout === 'OK');
  }

  /** What all that run of a name have written. */
  logFiles(name: string): readonly string[] {
    return this.machines.map((machine) => machine.logFile(name));
  }

  /** Lets each process finish what it has in hand, in order; the machine with the Redis comes last. */
  async stop(): Promise<void> {
    for (const machine of this.machines.toReversed()) await machine.stop();
  }

  /** Ends everything at once. */
  kill(): void {
    for (const machine of this.machines) machine.kill();
  }

  /** Where a process is, and its name there. */
  find(process: string): readonly [StackProcess, string] {
    const [name = '', number = '1'] = process.split('-');
    const machine = this.machines[Number(number) - 1];
    if (!machine) throw new Error(`no ${process}`);
    return [machine, name];
  }
}

/** Where an SQLite database and its résumés are in a folder. */
export function sqliteIn(folder: string): Record<'DATABASE_URL' | 'RESUMES_URL', string> {
  return { DATABASE_URL: `file:${join(folder, 'submissions.db')}`, RESUMES_URL: `file:${join(folder, 'resumes')}` };
}
