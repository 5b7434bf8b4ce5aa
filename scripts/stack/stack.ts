import { mkdirSync, statfsSync } from 'node:fs';
import { compileOnChange } from './compile.ts';
import { freePorts, requireFree } from './ports.ts';
import type { Programs } from './programs.ts';
import { RunFolder } from './run-folder.ts';
import {
  apiSpec,
  mailSpec,
  nginxSpec,
  reachable,
  redisSpec,
  serviceEnvironment,
  storageEnvironment,
  viteSpec,
  workerSpec,
} from './services.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';
import { SupervisedProcess, type ProcessSpec } from './supervised-process.ts';

/** How long a process may finish what it has in hand, in milliseconds. */
const PATIENCE_MS = 10_000;

/** For logs, the queue, a database and a site; with less, something fails halfway and cannot even say so in its log. */
const FREE_MB_MIN = 32;

/** The product as local processes: started together, kept running, stopped in order. */
export class Stack {
  /** Where it can be seen, by what is there. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly #settings: Settings;
  readonly #programs: Programs;
  readonly #folder: RunFolder;
  readonly #say: (sentence: string) => void;
  /** In the order in which they stop; what is in one group ends together. */
  readonly #groups: SupervisedProcess[][] = [];
  #stopped: Promise<void> | undefined;

  constructor(settings: Settings, programs: Programs, say: (sentence: string) => void) {
    const { host, port, mailUiPort, outsideMail, tls, dataDir } = settings;
    const name = reachable(host).replace(/^127\.0\.0\.1$/, 'localhost');
    this.addresses = {
      Site: tls ? `https://${name}:${tls.port}` : `http://${name}:${port}`,
      ...(outsideMail ? {} : { Mail: `http://localhost:${mailUiPort}` }),
    };
    this.#settings = settings;
    this.#programs = programs;
    this.#say = say;
    this.#folder = new RunFolder(dataDir);
  }

  /** Resolves when every process is ready; throws a `StartError` otherwise, and then nothing is left running. */
  async start(): Promise<void> {
    const settings = this.#settings;
    requireSpace(settings.dataDir);
    await this.#folder.claim();
    try {
      await requireFree(settings.port, settings.host, 'PORT');
      if (settings.tls) await requireFree(settings.tls.port, settings.host, 'TLS_PORT');
      if (!settings.outsideMail) await requireFree(settings.mailUiPort, '127.0.0.1', 'MAIL_UI_PORT');
      const [api = 0, worker = 0, redis = 0, smtp = 0] = await freePorts(4);
      const ports = { api, worker, redis, smtp };
      const { REDIS_URL } = serviceEnvironment(settings, ports);
      const connections = { ...storageEnvironment(settings.dataDir), ...(REDIS_URL && { REDIS_URL }) };
      this.#folder.note({ connections, addresses: this.addresses });
      const { redisServer } = this.#programs;
      // The service starts without its servers and finds them, so these can start at once.
      const [, service] = await Promise.all([
        this.#startGroup([
          ...(redisServer === undefined ? [] : [redisSpec(settings, ports, redisServer)]),
          ...(settings.outsideMail ? [] : [mailSpec(settings, ports)]),
        ]),
        this.#startGroup([apiSpec(settings, ports), workerSpec(settings, ports)]),
      ]);
      if (settings.isWatching) compileOnChange(this.#say, () => restart(service));
      // Last, so that whoever is answered can also send something.
      const front = settings.isWatching ? viteSpec : nginxSpec;
      await this.#startGroup([front(settings, ports, this.#programs, this.#folder)]);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Stops everything in order: visitors first, then the service, then what it talks to. May be called again. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopInOrder();
    return this.#stopped;
  }

  /** Ends everything at once. */
  kill(): void {
    for (const process of this.#groups.flat()) process.kill();
  }

  /** What was started later stops earlier. */
  async #startGroup(specs: readonly ProcessSpec[]): Promise<readonly SupervisedProcess[]> {
    if (this.#stopped) return [];
    const group = specs.map((spec) => new SupervisedProcess(spec, this.#folder, this.#say));
    this.#groups.unshift(group);
    await Promise.all(group.map((process) => process.start()));
    return group;
  }

  async #stopInOrder(): Promise<void> {
    for (const group of this.#groups) await Promise.all(group.map((process) => process.stop(PATIENCE_MS)));
    this.#folder.release();
  }
}

/** One after the other: the api, for which somebody waits, has the machine for itself. */
async function restart(processes: readonly SupervisedProcess[]): Promise<void> {
  for (const process of processes) await process.restart();
}

function requireSpace(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  const freeMb = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMb < FREE_MB_MIN)
    throw new StartError(`The disk of ${folder} is full: ${freeMb} MB are free, and a start needs ${FREE_MB_MIN} MB.`);
}
