import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { until } from '../../form-service/test/until.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { findProgram } from '../../scripts/stack/programs.ts';

/** One series of an instant query, and its value. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface Answer<Data> {
  readonly status: 'success' | 'error';
  readonly data: Data;
  readonly error?: string;
}

interface Rule {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
}

interface ScrapeConfig {
  readonly job_name: string;
  readonly dns_sd_configs?: readonly unknown[];
}

/** A real Prometheus with the product's own configuration, which looks each second and finds api and worker where they are. */
export class Prometheus {
  readonly #process: ChildProcess;
  readonly #url: string;

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.#url = url;
  }

  /** @param inside host:port by job */
  static async start(root: string, folder: string, inside: Readonly<Record<string, string>>): Promise<Prometheus> {
    mkdirSync(folder, { recursive: true });
    const [port = 0] = await freePorts(1);
    const config = join(folder, 'prometheus.yml');
    writeFileSync(config, configFor(join(root, 'monitoring'), inside, port));
    const log = openSync(join(folder, 'prometheus.log'), 'w');
    const args = [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const prometheus = new Prometheus(
      spawn(findProgram('prometheus') ?? 'prometheus', args, { stdio: ['ignore', log, log] }),
      `http://127.0.0.1:${port}`,
    );
    await until('Prometheus ready', () => prometheus.#isReady());
    return prometheus;
  }

  /** @throws with Prometheus' words when it cannot make sense of the expression */
  async query(expression: string): Promise<readonly Sample[]> {
    return (await this.#get<{ result: readonly Sample[] }>(`query?query=${encodeURIComponent(expression)}`)).result;
  }

  /** The value of a query for one series without more labels, or undefined. */
  async value(expression: string): Promise<number | undefined> {
    const [sample] = await this.query(expression);
    return sample && Number(sample.value[1]);
  }

  async rules(): Promise<readonly Rule[]> {
    const { groups } = await this.#get<{ groups: readonly { rules: readonly Rule[] }[] }>('rules');
    return groups.flatMap(({ rules }) => rules);
  }

  /** Names of all metrics that were ever scraped. */
  async metricNames(): Promise<ReadonlySet<string>> {
    return new Set(await this.#get<readonly string[]>('label/__name__/values'));
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill('SIGTERM');
    await once(this.#process, 'exit');
  }

  async #isReady(): Promise<boolean> {
    if (this.#process.exitCode !== null) throw new Error('Prometheus ended: see prometheus.log');
    return fetch(`${this.#url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async #get<Data>(path: string): Promise<Data> {
    const answer = (await (await fetch(`${this.#url}/api/v1/${path}`)).json()) as Answer<Data>;
    if (answer.status !== 'success') throw new Error(answer.error);
    return answer.data;
  }
}

/** The containers' configuration, with fixed addresses where those ask their name server. */
function configFor(monitoring: string, inside: Readonly<Record<string, string>>, port: number): string {
  const config = parse(readFileSync(join(monitoring, 'prometheus.yml'), 'utf8')) as {
    rule_files: string[];
    scrape_configs: ScrapeConfig[];
  };
  const addressOf = (job: string) => inside[job] ?? `127.0.0.1:${port}`;
  return stringify({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: config.rule_files.map((path) => join(monitoring, path)),
    scrape_configs: config.scrape_configs.map(({ job_name }) => ({
      job_name,
      static_configs: [{ targets: [addressOf(job_name)] }],
    })),
  });
}
