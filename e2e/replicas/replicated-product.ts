import { join } from 'node:path';
import { freePorts } from '../../scripts/stack/ports.ts';
import { sendSignal } from '../../scripts/stack/process-identity.ts';
import { requirePrograms } from '../../scripts/stack/programs.ts';
import { RunFolder } from '../../scripts/stack/run-folder.ts';
import { apiSpec, nginxSpec, redisSpec, workerSpec, type InnerPorts } from '../../scripts/stack/services.ts';
import type { Settings } from '../../scripts/stack/settings.ts';
import { SupervisedProcess, type ProcessSpec } from '../../scripts/stack/supervised-process.ts';
import { readPid } from '../faults/product.ts';

export type Service = 'api' | 'worker';

interface Place {
  /** The repository, built. */
  readonly root: string;
  /** For logs, pid files and Redis. */
  readonly dataDir: string;
  readonly smtpUrl: string;
  /** Where the bucket is and its keys, as variables. */
  readonly storage: Readonly<Record<string, string>>;
}

export const REPLICAS = 3;

/** More than one visitor of the load ever sends in a minute: what is tested here is not the limit. */
const RATE_LIMIT_PER_MINUTE = '600';

const STOP_PATIENCE_MS = 30_000;

/** The product on several machines, as far as one can tell from inside: processes that share Redis and a bucket and no folder. */
export class ReplicatedProduct {
  readonly siteUrl: string;
  readonly #folder: RunFolder;
  /** In the order in which they stop. */
  readonly #processes: readonly SupervisedProcess[];

  private constructor(siteUrl: string, folder: RunFolder, processes: readonly SupervisedProcess[]) {
    this.siteUrl = siteUrl;
    this.#folder = folder;
    this.#processes = processes;
  }

  /** @param say hears of restarts */
  static async start({ root, dataDir, smtpUrl, storage }: Place, say: (sentence: string) => void): Promise<ReplicatedProduct> {
    const programs = requirePrograms(true);
    const [site = 0, redis = 0, ...services] = await freePorts(2 + 2 * REPLICAS);
    const settings: Settings = { root, dataDir, host: '127.0.0.1', port: site, mailUiPort: 0, outsideRedis: false, outsideMail: true };
    const portsOf = (index: number): InnerPorts => ({ api: services[index] ?? 0, worker: services[REPLICAS + index] ?? 0, redis, smtp: 0 });
    const numbers = Array.from({ length: REPLICAS }, (_, index) => index);
    const replica = (spec: ProcessSpec, index: number): ProcessSpec => {
      const name = nameOf(spec.name as Service, index);
      const own = { INSTANCE: name, UPLOAD_DIR: join(dataDir, name), SMTP_URL: smtpUrl, RATE_LIMIT_PER_MINUTE };
      return { ...spec, name, env: { ...spec.env, ...storage, ...own } };
    };
    const folder = new RunFolder(dataDir);
    await folder.claim();
    const specs = [
      nginxSpec(settings, portsOf(0), programs, folder, numbers.map((index) => portsOf(index).api)),
      ...numbers.map((index) => replica(apiSpec(settings, portsOf(index)), index)),
      ...numbers.map((index) => replica(workerSpec(settings, portsOf(index)), index)),
      redisSpec(settings, portsOf(0), programs.redisServer ?? 'redis-server'),
    ];
    const processes = specs.map((spec) => new SupervisedProcess(spec, folder, say));
    const product = new ReplicatedProduct(`http://127.0.0.1:${site}`, folder, processes);
    try {
      await Promise.all(processes.map((process) => process.start()));
    } catch (error) {
      product.kill();
      throw error;
    }
    return product;
  }

  /** Kills one of the replicas at once; the supervisor starts it again. False when it was not running just then. */
  killReplica(service: Service, index: number): boolean {
    const pid = readPid(this.#folder.pidFile(nameOf(service, index)));
    if (pid !== undefined) sendSignal(pid, 'SIGKILL');
    return pid !== undefined;
  }

  /** Logs of all the workers. */
  get workerLogs(): string[] {
    return Array.from({ length: REPLICAS }, (_, index) => this.#folder.logFile(nameOf('worker', index)));
  }

  /** Lets each process finish what it has in hand, in order. */
  async stop(): Promise<void> {
    for (const process of this.#processes) await process.stop(STOP_PATIENCE_MS);
    this.#folder.release();
  }

  /** Ends everything at once. */
  kill(): void {
    for (const process of this.#processes) process.kill();
  }
}

function nameOf(service: Service, index: number): string {
  return `${service}-${index + 1}`;
}
