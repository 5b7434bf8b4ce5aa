import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { until } from '../../form-service/test/until.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { findProgram } from '../../scripts/stack/programs.ts';

interface Rule {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
}

/** A real Prometheus with the product's own configuration, which looks each second and finds api and worker where they are. */
export class Prometheus {
  private readonly process: ChildProcess;
  private readonly url: string;

  private constructor(process: ChildProcess, url: string) {
    this.process = process;
    this.url = url;
  }

  /** @param inside host:port by job */
  static async start(root: string, folder: string, inside: Readonly<Record<string, string>>): Promise<Prometheus> {
    mkdirSync(folder, { recursive: true });
    const [port = 0] = await freePorts(1);
    const address = `127.0.0.1:${port}`;
    const config = join(folder, 'prometheus.yml');
    writeFileSync(
      config,
      configFor(join(root, 'monitoring'), (job) => inside[job] ?? address),
    );
    const log = openSync(join(folder, 'prometheus.log'), 'w');
    const args = [
      '--config.file',
      config,
      '--storage.tsdb.path',
      join(folder, 'data'),
      '--web.listen-address',
      address,
    ];
    const child = spawn(findProgram('prometheus') ?? 'prometheus', args, { stdio: ['ignore', log, log] });
    const prometheus = new Prometheus(child, `http://${address}`);
    await until('Prometheus ready', async () => {
      if (child.exitCode !== null) throw new Error('Prometheus ended: see prometheus.log');
      return (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok;
    });
    return prometheus;
  }

  /** The series of an instant query. @throws with Prometheus' words when it cannot make sense of the expression */
  async query(expression: string): Promise<readonly unknown[]> {
    return (await this.get<{ result: readonly unknown[] }>(`query?query=${encodeURIComponent(expression)}`)).result;
  }

  async rules(): Promise<readonly Rule[]> {
    const { groups } = await this.get<{ groups: readonly { rules: readonly Rule[] }[] }>('rules');
    return groups.flatMap(({ rules }) => rules);
  }

  /** Names of all metrics that were ever scraped. */
  async metricNames(): Promise<ReadonlySet<string>> {
    return new Set(await this.get<readonly string[]>('label/__name__/values'));
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGTERM');
    await once(this.process, 'exit');
  }

  private async get<Data>(path: string): Promise<Data> {
    const answer = await (await fetch(`${this.url}/api/v1/${path}`)).json();
    const { status, data, error } = answer as { status: string; data: Data; error?: string };
    if (status !== 'success') throw new Error(error);
    return data;
  }
}

/** The containers' configuration, with fixed addresses where those ask their name server. */
function configFor(monitoring: string, addressOf: (job: string) => string): string {
  const config = parse(readFileSync(join(monitoring, 'prometheus.yml'), 'utf8')) as {
    rule_files: string[];
    scrape_configs: { job_name: string }[];
  };
  return stringify({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: config.rule_files.map((path) => join(monitoring, path)),
    scrape_configs: config.scrape_configs.map(({ job_name }) => ({
      job_name,
      static_configs: [{ targets: [addressOf(job_name)] }],
    })),
  });
}
