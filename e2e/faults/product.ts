import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { until } from '../../form-service/test/until.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { sendSignal } from '../../scripts/stack/process-group.ts';
import { requirePrograms } from '../../scripts/stack/programs.ts';
import { RunFolder } from '../../scripts/stack/run-folder.ts';
import { apiSpec, nginxSpec, redisSpec, workerSpec, type InnerPorts } from '../../scripts/stack/services.ts';
import type { Settings } from '../../scripts/stack/settings.ts';
import { SupervisedProcess, type ProcessSpec } from '../../scripts/stack/supervised-process.ts';
import { CLEAN_ENVIRONMENT } from '../harness/clean-environment.ts';

type Variables = Readonly<Record<string, string>>;

interface Parts {
  /** The repository, built. */
  readonly root: string;
  /** For logs, pid files and Redis. */
  readonly dataDir: string;
  /** `DATABASE_URL`, `RESUMES_URL` and whatever else they need. */
  readonly storage: Variables;
  readonly smtpUrl: string;
  /** Further variables of api and worker. */
  readonly settings?: Variables;
  readonly apis?: number;
  readonly workers?: number;
  /** Without it visitors speak to the first api themselves. */
  readonly withNginx?: boolean;
}

/** More than one visitor of the load ever sends in a minute: what is tested here is not the limit. */
const RATE_LIMIT_PER_MINUTE = '1000000';
const PATIENCE_MS = 30_000;

/** The whole product as `npm start` runs it, supervisor included, in one or several copies, in the hands of somebody who breaks it. */
export class Product {
  /** In the order in which they stop. */
  private readonly processes: readonly SupervisedProcess[];
  readonly names: Readonly<Record<'api' | 'worker' | 'others', readonly string[]>>;

  readonly siteUrl: string;
  /** Where the first api and worker answer for their health and metrics, as host:port. */
  readonly inside: Readonly<Record<'api' | 'worker', string>>;
  private readonly redisPort: number;
  private readonly folder: RunFolder;

  private constructor(
    siteUrl: string,
    inside: Readonly<Record<'api' | 'worker', string>>,
    redisPort: number,
    folder: RunFolder,
    specs: readonly ProcessSpec[],
    log: (sentence: string) => void,
  ) {
    this.siteUrl = siteUrl;
    this.inside = inside;
    this.redisPort = redisPort;
    this.folder = folder;
    this.processes = specs.map((spec) => new SupervisedProcess(spec, folder, log));
    const named = (pattern: RegExp) => specs.map(({ name }) => name).filter((name) => pattern.test(name));
    this.names = { api: named(/^api/), worker: named(/^worker/), others: named(/^(?!api|worker)/) };
  }

  /** @param log hears of restarts */
  static async start(parts: Parts, log: (sentence: string) => void): Promise<Product> {
    const { root, dataDir, apis = 1, workers = 1, withNginx = true } = parts;
    const programs = requirePrograms(true);
    const [port = 0, redis = 0, ...inner] = await freePorts(2 + apis + workers);
    const [apiPorts, workerPorts] = [inner.slice(0, apis), inner.slice(apis)];
    const host = '127.0.0.1';
    const settings: Settings = { root, dataDir, host, port, mailUiPort: 0, outsideRedis: false, outsideMail: true };
    const ports = (api = 0, worker = 0): InnerPorts => ({ api, worker, redis, smtp: 0 });
    const siteUrl = `http://${host}:${withNginx ? port : apiPorts[0]}`;
    const own = { SMTP_URL: parts.smtpUrl, RATE_LIMIT_PER_MINUTE };
    const numbered = (spec: ProcessSpec, index: number, { length }: readonly number[]): ProcessSpec => {
      const name = length === 1 ? spec.name : `${spec.name}-${index + 1}`;
      const env = { ...CLEAN_ENVIRONMENT, ...spec.env, ...own, INSTANCE: name, ...parts.storage, ...parts.settings };
      return { ...spec, name, env };
    };
    const folder = new RunFolder(dataDir);
    await folder.claim();
    const specs = [
      ...(withNginx ? [nginxSpec(settings, ports(), programs, folder, apiPorts)] : []),
      ...apiPorts.map((api, index) => numbered(apiSpec(settings, ports(api)), index, apiPorts)),
      ...workerPorts.map((worker, index) => numbered(workerSpec(settings, ports(0, worker)), index, workerPorts)),
      redisSpec(settings, ports(), programs.redisServer ?? 'redis-server'),
    ];
    const inside = { api: `${host}:${apiPorts[0]}`, worker: `${host}:${workerPorts[0]}` };
    const product = new Product(siteUrl, inside, redis, folder, specs, log);
    try {
      await Promise.all(product.processes.map((process) => process.start()));
    } catch (error) {
      await product.kill();
      throw error;
    }
    return product;
  }

  /** Kills a process at once; the supervisor starts it again. */
  async killProcess(name: string): Promise<void> {
    sendSignal(await this.pidOf(name), 'SIGKILL');
  }

  /** Stops a process, and what it has started, in its tracks, until it is woken. */
  async freeze(name: string): Promise<() => void> {
    const pid = await this.pidOf(name);
    sendSignal(-pid, 'SIGSTOP');
    return () => sendSignal(-pid, 'SIGCONT');
  }

  /** Removes everything in Redis, as soon as it answers. */
  async wipeRedis(): Promise<void> {
    const isWiped = async () => (await this.askRedis('FLUSHALL'))?.startsWith('+OK');
    await until('an answer to FLUSHALL', isWiped, PATIENCE_MS);
  }

  /** The first part of Redis' answer to one command, or undefined when it is away. */
  askRedis(command: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      const socket = connect({ port: this.redisPort, host: '127.0.0.1', timeout: PATIENCE_MS });
      const answer = (reply?: Buffer) => {
        socket.destroy();
        resolve(reply?.toString('latin1'));
      };
      socket.once('connect', () => socket.write(`${command}\r\n`));
      socket.once('data', answer);
      socket.once('timeout', () => answer());
      socket.once('error', () => answer());
    });
  }

  /** Resident memory of a process, in bytes. */
  async memoryOf(name: string): Promise<number> {
    const status = readFileSync(`/proc/${await this.pidOf(name)}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  logFile(name: string): string {
    return this.folder.logFile(name);
  }

  /** Lets each process finish what it has in hand, in order. */
  async stop(): Promise<void> {
    for (const process of this.processes) await process.stop(PATIENCE_MS);
    this.folder.release();
  }

  /** Ends everything at once. Resolves when all of it is gone. */
  async kill(): Promise<void> {
    for (const process of this.processes) process.kill();
    await Promise.all(this.processes.map((process) => process.stop(0)));
  }

  /** Of the running process; waits for one that is just being started again. */
  private pidOf(name: string): Promise<number> {
    return until(`a running ${name}`, () => readPid(this.folder.pidFile(name)), PATIENCE_MS);
  }
}

/** Of a pid file, or undefined while there is none. */
function readPid(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** Where an SQLite database and its résumés are in a folder. */
export function sqliteIn(folder: string): Record<'DATABASE_URL' | 'RESUMES_URL', string> {
  return { DATABASE_URL: `file:${join(folder, 'submissions.db')}`, RESUMES_URL: `file:${join(folder, 'resumes')}` };
}
