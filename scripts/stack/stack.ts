import { freePorts, requireFree } from './ports.ts';
import type { Programs } from './programs.ts';
import { RunFolder } from './run-folder.ts';
import {
  apiSpec,
  compilerSpec,
  mailSpec,
  nginxSpec,
  redisSpec,
  serviceEnvironment,
  storageEnvironment,
  workerSpec,
  type InnerPorts,
} from './services.ts';
import type { Settings } from './settings.ts';
import { SupervisedProcess, type ProcessSpec } from './supervised-process.ts';

/** How long a process may finish what it has in hand, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Makes the process that answers visitors; it is the last to start and the first to stop. */
export type FrontSpec = (settings: Settings, ports: InnerPorts, programs: Programs, folder: RunFolder) => ProcessSpec;

/** The product as local processes: started together, kept running, stopped in order. */
export class Stack {
  readonly #settings: Settings;
  readonly #programs: Programs;
  readonly #front: FrontSpec;
  readonly #folder: RunFolder;
  readonly #say: (sentence: string) => void;
  /** In the order in which they are stopped; what is in one group ends together. */
  #groups: SupervisedProcess[][] = [];
  #stopped: Promise<void> | undefined;

  constructor(settings: Settings, programs: Programs, say: (sentence: string) => void, front: FrontSpec = nginxSpec) {
    this.#settings = settings;
    this.#programs = programs;
    this.#front = front;
    this.#say = say;
    this.#folder = new RunFolder(settings.dataDir);
  }

  /** Resolves when every process is ready; throws a `StartError` otherwise, and then nothing is left running. */
  async start(): Promise<void> {
    const settings = this.#settings;
    const programs = this.#programs;
    await this.#folder.claim();
    try {
      await requireFree(settings.port, settings.host, 'PORT');
      if (settings.tls) await requireFree(settings.tls.port, settings.host, 'TLS_PORT');
      if (!settings.outsideMail) await requireFree(settings.mailUiPort, settings.host, 'MAIL_UI_PORT');
      const [api = 0, worker = 0, redis = 0, smtp = 0] = await freePorts(4);
      const ports = { api, worker, redis, smtp };
      const { REDIS_URL } = serviceEnvironment(settings, ports);
      this.#folder.writeConnections({
        ...storageEnvironment(settings.dataDir),
        ...(REDIS_URL !== undefined && { REDIS_URL }),
      });
      const servers: ProcessSpec[] = [];
      if (programs.redisServer !== undefined) servers.push(redisSpec(settings, ports, programs.redisServer));
      if (settings.isWatching) servers.push(compilerSpec(settings));
      if (!settings.outsideMail) servers.push(mailSpec(settings, ports));
      this.#groups = [
        [this.#front(settings, ports, programs, this.#folder)],
        [apiSpec(settings, ports), workerSpec(settings, ports)],
        servers,
      ].map((specs) => specs.map((spec) => new SupervisedProcess(spec, this.#folder, this.#say)));
      // The service starts without its servers and finds them, so all can start at once.
      if (this.#stopped === undefined) await Promise.all(this.#groups.flat().map((process) => process.start()));
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

  async #stopInOrder(): Promise<void> {
    for (const group of this.#groups) await Promise.all(group.map((process) => process.stop(PATIENCE_MS)));
    this.#folder.release();
  }
}
