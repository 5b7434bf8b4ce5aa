import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileOnChange } from './compile.ts';
import { freePorts, requireFreePort } from './ports.ts';
import type { Programs } from './programs.ts';
import { acquireLock } from './lock.ts';
import { readRunFile, removeRunFile, writeRunFile } from './run-file.ts';
import {
  apiSpec,
  mailSpec,
  nginxSpec,
  redisSpec,
  serviceEnvironment,
  siteAddress,
  viteSpec,
  workerSpec,
} from './services.ts';
import type { StackSettings } from './settings.ts';
import { StartError } from './start-error.ts';
import { StackProcess, type ProcessSpec } from './stack-process.ts';

/** Maximum time of a graceful shutdown in milliseconds, the same as in containers: a worker may finish its mail. */
const SHUTDOWN_MAX_MS = 30_000;

/** Pause before a process starts again. */
const RESTART_AFTER_MS = 100;

/** The product as local processes: starts and stops them. */
export class Stack {
  /** URLs of site and mail catcher, by name. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly #settings: StackSettings;
  readonly #say: (sentence: string) => void;
  /** In the order in which they stop. The processes of a group stop together. */
  readonly #groups: StackProcess[][] = [];
  #stopped: Promise<void> | undefined;
  #unlock = () => {};

  constructor(settings: StackSettings, say: (sentence: string) => void) {
    const { mailUiPort, hasExternalMail, hasInbox } = settings;
    const site = siteAddress(settings);
    this.addresses = {
      Site: site,
      ...(hasInbox ? { Inbox: `${site}/inbox` } : {}),
      ...(hasExternalMail ? {} : { Mail: `http://localhost:${mailUiPort}` }),
    };
    this.#settings = settings;
    this.#say = say;
  }

  /** Claims the data folder, and checks ports. Throws a {@link StartError} at once, before a long build. */
  async prepare(): Promise<void> {
    const { dataDir, port, host, hasExternalMail, mailUiPort } = this.#settings;
    this.#lock(dataDir);
    try {
      await requireFreePort(port, host, 'PORT');
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
      const connections = serviceEnvironment(settings, ports);
      writeRunFile(settings.dataDir, { pid: process.pid, addresses: this.addresses, connections });
      const { redisServer } = programs;
      // The service starts without Redis and mail server and connects later, so all start at the same time.
      const [, service] = await Promise.all([
        this.#startGroup([
          ...(redisServer === undefined ? [] : [redisSpec(ports, redisServer)]),
          ...(settings.hasExternalMail ? [] : [mailSpec(settings, ports)]),
        ]),
        this.#startGroup([apiSpec(settings, ports), workerSpec(settings, ports)]),
        site,
      ]);
      if (settings.isWatching) await compileOnChange(this.#say, () => restart(service));
      // Last, so that a visitor who gets a page can also send a form.
      const front = settings.isWatching ? viteSpec : nginxSpec;
      await this.#startGroup([front(settings, ports, programs, this.#logOf('nginx'))]);
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

  /** Called when a process has ended by itself. */
  onFailure: () => void = () => undefined;

  /** Whether it stops or has stopped. */
  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Starts a group, which stops before the groups that were started earlier. */
  async #startGroup(specs: readonly ProcessSpec[]): Promise<readonly StackProcess[]> {
    if (this.#stopped) return [];
    const group = specs.map(
      (spec) => new StackProcess(spec, this.#logOf(spec.name), (process, reason) => this.#ended(process, reason)),
    );
    this.#groups.unshift(group);
    await Promise.all(group.map((process) => process.start()));
    return group;
  }

  async #stopInOrder(): Promise<void> {
    for (const group of this.#groups) await Promise.all(group.map((process) => process.stop(SHUTDOWN_MAX_MS)));
    removeRunFile(this.#settings.dataDir);
    this.#unlock();
  }

  /** The run ends with the process, unless a developer fixes what ended, or a test of faults has killed it. */
  #ended(process: StackProcess, reason: string): void {
    if (this.#stopped) return;
    this.#say(reason);
    if (this.#settings.isRestarting) setTimeout(() => void process.restart(), RESTART_AFTER_MS);
    else if (!this.#settings.isWatching) this.onFailure();
  }

  #logOf(name: string): string {
    return join(this.#settings.dataDir, 'log', `${name}.log`);
  }

  /** Locks the data folder: two stacks would write the same files. */
  #lock(dataDir: string): void {
    mkdirSync(join(dataDir, 'log'), { recursive: true });
    const unlock = acquireLock(join(dataDir, 'stack.lock'));
    if (unlock) this.#unlock = unlock;
    else {
      const { pid, addresses = {} } = readRunFile(dataDir) ?? {};
      const where = Object.entries(addresses).map(([kind, address]) => `${kind} ${address}`);
      throw new StartError(
        `The stack already runs here (process ${pid}): ${where.join(', ') || 'still starting'}. ` +
          'Stop it, or set DATA_DIR, PORT and MAIL_UI_PORT to run a second one.',
      );
    }
  }
}

/** Restarts one after the other: the api, for which the developer waits, gets the whole CPU. */
async function restart(processes: readonly StackProcess[]): Promise<void> {
  for (const process of processes) await process.restart();
}
