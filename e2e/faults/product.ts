import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../form-service/test/until.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { sendSignal } from '../../scripts/stack/process-identity.ts';
import { requirePrograms } from '../../scripts/stack/programs.ts';
import { RunFolder } from '../../scripts/stack/run-folder.ts';
import { apiSpec, nginxSpec, redisSpec, workerSpec } from '../../scripts/stack/services.ts';
import type { Settings } from '../../scripts/stack/settings.ts';
import { CLEAN_ENVIRONMENT } from '../harness/clean-environment.ts';
import { SupervisedProcess, type ProcessSpec } from '../../scripts/stack/supervised-process.ts';

export type ProcessName = 'nginx' | 'api' | 'worker' | 'redis';

interface Place {
  /** The repository, built. */
  readonly root: string;
  /** For logs, pid files and Redis. */
  readonly dataDir: string;
  readonly storageUrl: string;
  readonly smtpUrl: string;
  /** Further variables of the service. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** More than one visitor of the load ever sends in a minute: what is tested here is not the limit. */
const RATE_LIMIT_PER_MINUTE = '600';

const STOP_PATIENCE_MS = 30_000;
const REDIS_PATIENCE_MS = 30_000;

/** The whole product as `npm start` runs it, supervisor included, in the hands of somebody who breaks it. */
export class Product {
  readonly siteUrl: string;
  /** Where api and worker answer for their health and metrics, as host:port. */
  readonly inside: Readonly<Record<'api' | 'worker', string>>;
  readonly #folder: RunFolder;
  readonly #redisPort: number;
  /** In the order in which they stop. */
  readonly #processes: readonly SupervisedProcess[];

  private constructor(siteUrl: string, inside: Product['inside'], folder: RunFolder, redisPort: number, processes: readonly SupervisedProcess[]) {
    this.siteUrl = siteUrl;
    this.inside = inside;
    this.#folder = folder;
    this.#redisPort = redisPort;
    this.#processes = processes;
  }

  /** @param say hears of restarts */
  static async start({ root, dataDir, storageUrl, smtpUrl, settings: further = {} }: Place, say: (sentence: string) => void): Promise<Product> {
    const programs = requirePrograms(true);
    const [site = 0, api = 0, worker = 0, redis = 0] = await freePorts(4);
    const ports = { api, worker, redis, smtp: 0 };
    const settings: Settings = { root, dataDir, host: '127.0.0.1', port: site, mailUiPort: 0, outsideRedis: false, outsideMail: true };
    const service = (spec: ProcessSpec): ProcessSpec => ({
      ...spec,
      env: { ...CLEAN_ENVIRONMENT, ...spec.env, STORAGE_URL: storageUrl, SMTP_URL: smtpUrl, RATE_LIMIT_PER_MINUTE, CANARY_URL: `http://127.0.0.1:${site}`, ...further },
    });
    const folder = new RunFolder(dataDir);
    await folder.claim();
    const specs = [
      nginxSpec(settings, ports, programs, folder),
      service(apiSpec(settings, ports)),
      service(workerSpec(settings, ports)),
      redisSpec(settings, ports, programs.redisServer ?? 'redis-server'),
    ];
    const processes = specs.map((spec) => new SupervisedProcess(spec, folder, say));
    const product = new Product(`http://127.0.0.1:${site}`, { api: `127.0.0.1:${api}`, worker: `127.0.0.1:${worker}` }, folder, redis, processes);
    try {
      await Promise.all(processes.map((process) => process.start()));
    } catch (error) {
      product.kill();
      throw error;
    }
    return product;
  }

  /** Kills a process at once; the supervisor starts it again. */
  async killProcess(name: ProcessName): Promise<void> {
    sendSignal(await this.#pidOf(name), 'SIGKILL');
  }

  /** Stops a process, and what it has started, in its tracks for a while. */
  async freeze(name: ProcessName, forMs: number): Promise<void> {
    const pid = await this.#pidOf(name);
    sendSignal(-pid, 'SIGSTOP');
    await pause(forMs);
    sendSignal(-pid, 'SIGCONT');
  }

  /** Removes everything in Redis, as soon as it answers. */
  async wipeRedis(): Promise<void> {
    await until('an answer to FLUSHALL', () => flushAll(this.#redisPort), REDIS_PATIENCE_MS);
  }

  /** Resident memory of a process, in bytes. */
  async memoryOf(name: ProcessName): Promise<number> {
    const status = readFileSync(`/proc/${await this.#pidOf(name)}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  logFile(name: ProcessName): string {
    return this.#folder.logFile(name);
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

  /** Of the running process; waits for one that is just being started again. */
  async #pidOf(name: ProcessName): Promise<number> {
    return until(`a running ${name}`, () => readPid(this.#folder.pidFile(name)), STOP_PATIENCE_MS);
  }
}

/** Of a pid file, or undefined while there is none. */
export function readPid(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function flushAll(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: REDIS_PATIENCE_MS }, () => socket.write('FLUSHALL\r\n'));
    const answer = (isDone: boolean) => {
      socket.destroy();
      resolve(isDone);
    };
    socket.once('data', (reply) => answer(reply.toString('latin1').startsWith('+OK')));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}
