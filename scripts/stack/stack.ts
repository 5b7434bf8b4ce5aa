import { mkdirSync, statfsSync } from 'node:fs';
import { compileOnChange } from './compile.ts';
import { freePorts, isFree, requireFreePort } from './ports.ts';
import { unavailableIn } from './probes.ts';
import type { Programs } from './programs.ts';
import { RunFolder } from './run-folder.ts';
import {
  apiSpec,
  mailSpec,
  nginxSpec,
  processUrls,
  reachableHost,
  redisSpec,
  serviceEnvironment,
  storageEnvironment,
  viteSpec,
  workerSpec,
} from './services.ts';
import type { StackSettings } from './settings.ts';
import { StartError } from './start-error.ts';
import { SupervisedProcess, type ProcessSpec } from './supervised-process.ts';

/** Maximum time of a graceful shutdown in milliseconds, the same as in containers: a worker may finish its mail. */
const SHUTDOWN_MAX_MS = 30_000;

/** Minimum space for logs, queue, database and site. With less, a process can fail without being able to log it. */
const FREE_MB_MIN = 32;

/** The product as local processes: starts, supervises and stops them. */
export class Stack {
  /** URLs of site and mail catcher, by name. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly #settings: StackSettings;
  readonly #folder: RunFolder;
  readonly #say: (sentence: string) => void;
  /** In the order in which they stop. The processes of a group stop together. */
  readonly #groups: SupervisedProcess[][] = [];
  #stopped: Promise<void> | undefined;

  constructor(settings: StackSettings, say: (sentence: string) => void) {
    const { host, port, mailUiPort, hasExternalMail, tls, dataDir } = settings;
    const name = reachableHost(host).replace(/^127\.0\.0\.1$/, 'localhost');
    this.addresses = {
      Site: tls ? `https://${name}:${tls.port}` : `http://${name}:${port}`,
      ...(hasExternalMail ? {} : { Mail: `http://localhost:${mailUiPort}` }),
    };
    this.#settings = settings;
    this.#say = say;
    this.#folder = new RunFolder(dataDir);
  }

  /** Claims the data folder, and checks space and ports. Throws a {@link StartError} at once, before a long build. */
  async prepare(): Promise<void> {
    const { dataDir, port, host, tls, hasExternalMail, mailUiPort } = this.#settings;
    requireSpace(dataDir);
    await this.#folder.claim();
    try {
      await requireFreePort(port, host, 'PORT');
      if (tls) await requireFreePort(tls.port, host, 'TLS_PORT');
      if (!hasExternalMail) await requireFreePort(mailUiPort, '127.0.0.1', 'MAIL_UI_PORT');
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /**
   * Resolves when every process is ready. Otherwise stops all of them and throws a {@link StartError}.
   *
   * @param site the build of the site, during which the other processes start
   */
  async start(programs: Programs, site?: Promise<void>): Promise<void> {
    const settings = this.#settings;
    try {
      const [api = 0, worker = 0, redis = 0, smtp = 0] = await freePorts(4);
      const ports = { api, worker, redis, smtp };
      const { REDIS_URL, SMTP_URL, NODE_ENV = '' } = serviceEnvironment(settings, ports);
      const connections = {
        ...storageEnvironment(settings.dataDir),
        ...(REDIS_URL && { REDIS_URL }),
        ...(SMTP_URL && { SMTP_URL, NODE_ENV }),
        ...processUrls(ports),
      };
      this.#folder.update({ connections, addresses: this.addresses });
      const { redisServer } = programs;
      // The service starts without Redis and mail server and connects later, so all start at the same time.
      const [, service] = await Promise.all([
        this.#startGroup([
          ...(redisServer === undefined ? [] : [redisSpec(settings, ports, redisServer)]),
          ...(settings.hasExternalMail ? [] : [mailSpec(settings, ports)]),
        ]),
        this.#startGroup([apiSpec(settings, ports), workerSpec(settings, ports)]),
        site,
      ]);
      if (settings.isWatching) await compileOnChange(this.#say, () => restart(service));
      // Last, so that a visitor who gets a page can also send a form.
      const front = settings.isWatching ? viteSpec : nginxSpec;
      const isOnIpv6 = settings.host === '127.0.0.1' && (await isFree(settings.port, '::1'));
      await this.#startGroup([front({ ...settings, isOnIpv6 }, ports, programs, this.#folder)]);
      // The service starts without Redis and mail server, and would only report them to doctor.
      for (const fault of await unavailableIn(`${processUrls(ports).WORKER_URL}/health/ready`))
        this.#say(`worker waits for ${fault}`);
    } catch (error) {
      // Ctrl-C also reaches a build in progress, whose end is no error then.
      const isFailure = !this.isStopped;
      await this.stop();
      if (isFailure) throw error;
    }
  }

  /** Stops nginx or Vite first, then the service, then Redis and the mail catcher. Idempotent. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopInOrder();
    return this.#stopped;
  }

  /** Whether it stops or has stopped. */
  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Kills all processes. */
  kill(): void {
    for (const process of this.#groups.flat()) process.kill();
  }

  /** Starts a group, which stops before the groups that were started earlier. */
  async #startGroup(specs: readonly ProcessSpec[]): Promise<readonly SupervisedProcess[]> {
    if (this.#stopped) return [];
    const group = specs.map((spec) => new SupervisedProcess(spec, this.#folder, this.#say));
    this.#groups.unshift(group);
    await Promise.all(group.map((process) => process.start()));
    return group;
  }

  async #stopInOrder(): Promise<void> {
    for (const group of this.#groups) await Promise.all(group.map((process) => process.stop(SHUTDOWN_MAX_MS)));
    this.#folder.release();
  }
}

/** Restarts one after the other: the api, for which the developer waits, gets the whole CPU. */
async function restart(processes: readonly SupervisedProcess[]): Promise<void> {
  for (const process of processes) await process.restart();
}

function requireSpace(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  const freeMb = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMb < FREE_MB_MIN)
    throw new StartError(`The disk of ${folder} is full: ${freeMb} MB are free, and ${FREE_MB_MIN} MB are required.`);
}
