import { expect, test } from '@playwright/test';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { freePorts } from '../../scripts/stack/ports.ts';
import { Mailbox } from '../harness/mailbox.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Of the images that are tested. */
export const VERSION = 'checked';

/** As docs/install.md has it, so that its build finds everything built. */
export const BUILT_WITH = {
  SITE_URL: 'https://example.org',
  SALES_INBOX: 'sales@example.org',
  HR_INBOX: 'jobs@example.org',
};

/** With a mail catcher in the place of the mail server. */
export const TRIAL = 'docker-compose.yml:docker-compose.override.yml';

type Settings = Readonly<Record<string, string>>;

export interface Result {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** What is asked of the site by `curl`, which can say by which address, family and certificate. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export const ENQUIRY = JSON.stringify({
  name: 'Ana Container',
  email: 'ana@example.org',
  phone: '',
  service: 'Web Development',
  message: 'An enquiry through the containers.',
});

/**
 * A copy of the repository's files on a server of its own kind: a folder with an `.env`, and a name for Docker that no
 * other set-up has. Everything is done by the commands of the documents.
 */
export class Deployment {
  readonly folder: string;
  /** The project's for Docker Compose. */
  readonly name: string;
  readonly port: number;
  readonly mailUiPort: number;
  /** The reference of the latest enquiry. */
  reference = '';
  /** The variables of this process that a command gets: none of what the person who runs this has set for Docker Compose. */
  readonly #environment: Settings;

  private constructor(folder: string, port: number, mailUiPort: number) {
    this.folder = folder;
    this.name = `kitewright-${process.pid}-${port}`;
    this.port = port;
    this.mailUiPort = mailUiPort;
    const { PATH = '', HOME = '', DOCKER_HOST, DOCKER_CONFIG } = process.env;
    this.#environment = {
      PATH,
      HOME,
      COMPOSE_PROJECT_NAME: this.name,
      ...(DOCKER_HOST && { DOCKER_HOST }),
      ...(DOCKER_CONFIG && { DOCKER_CONFIG }),
    };
  }

  static async create(settings: Settings = {}): Promise<Deployment> {
    const folder = mkdtempSync(join(tmpdir(), 'kitewright-containers-'));
    const { stdout } = await execa('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
    for (const file of stdout.split('\n'))
      cpSync(join(root, file), join(folder, file), { recursive: true, force: true, errorOnExist: false });
    const [port = 0, mailUiPort = 0] = await freePorts(2);
    const deployment = new Deployment(folder, port, mailUiPort);
    deployment.set({
      COMPOSE_FILE: TRIAL,
      VERSION,
      PORT: String(port),
      MAIL_UI_PORT: String(mailUiPort),
      RATE_LIMIT_PER_MINUTE: '100000',
      ...settings,
    });
    return deployment;
  }

  /** Writes settings into `.env`, in the place of those of the same names. */
  set(settings: Settings): void {
    const file = join(this.folder, '.env');
    const kept = readFileSync(file, { encoding: 'utf8', flag: 'a+' })
      .split('\n')
      .filter((line) => line !== '' && !Object.hasOwn(settings, line.slice(0, line.indexOf('='))));
    writeFileSync(
      file,
      [...kept, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`), ''].join('\n'),
    );
  }

  /** Runs a line of the shell in the folder; the result may be a failure. */
  async run(line: string, { input = '', env = {} }: { input?: string; env?: Settings } = {}): Promise<Result> {
    const options = { cwd: this.folder, env: { ...this.#environment, ...env }, extendEnv: false, input } as const;
    const { exitCode, stdout, stderr } = await execa('bash', ['-c', line], {
      ...options,
      reject: false,
      maxBuffer: 50e6,
    });
    return { exitCode, stdout, stderr };
  }

  /** Runs a line that must succeed, and returns what it printed. */
  async do(line: string, options: { input?: string; env?: Settings } = {}): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(line, options);
    expect(exitCode, `${line}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`).toBe(0);
    return stdout;
  }

  /** Starts everything and waits until it is healthy. */
  async up(): Promise<void> {
    await this.do('docker compose --progress quiet up --detach --wait --wait-timeout 180');
  }

  /** Ids of a service's containers, or of all. */
  async containers(service = ''): Promise<readonly string[]> {
    return (await this.do(`docker compose ps -q ${service}`)).split('\n').filter(Boolean);
  }

  async ask(url: string, ...options: readonly string[]): Promise<Answer> {
    const target = url.startsWith('/') ? `http://127.0.0.1:${this.port}${url}` : url;
    const { stdout } = await execa('curl', ['-sS', '-i', '-m', '30', ...options, target], {
      reject: false,
      stripFinalNewline: false,
    });
    // After "100 Continue" comes the answer proper.
    const [head = '', ...rest] = stdout.replace(/^HTTP\/\S+ 100[^]*?\r\n\r\n/, '').split('\r\n\r\n');
    const [first = '', ...fields] = head.split('\r\n');
    const pairs = fields.map((field) => field.split(/:\s*(.*)/s).slice(0, 2) as [string, string]);
    return { status: Number(first.split(' ')[1] ?? 0), headers: new Headers(pairs), body: rest.join('\r\n\r\n') };
  }

  /** Sends an enquiry; an accepted one's reference is kept. */
  async enquire(url = '/api/contact', ...options: readonly string[]): Promise<Answer> {
    const answer = await this.ask(url, '-H', 'content-type: application/json', '-d', ENQUIRY, ...options);
    this.reference = /KW(?:-[0-9A-Z]{4}){4}/.exec(answer.body)?.[0] ?? this.reference;
    return answer;
  }

  /** Waits until an enquiry is accepted, and then until it is in the inbox. */
  async enquiryArrives(url?: string, ...options: readonly string[]): Promise<void> {
    await expect(async () => expect((await this.enquire(url, ...options)).status).toBe(202)).toPass();
    await this.arrives();
  }

  /** Waits until the latest enquiry is in the inbox. */
  async arrives(): Promise<void> {
    await new Mailbox(`http://127.0.0.1:${this.mailUiPort}`).waitFor(this.reference);
  }

  async remove(): Promise<void> {
    if (test.info().errors.length > 0)
      process.stderr.write((await this.run('docker compose ps -a; docker compose logs --no-color --tail 40')).stdout);
    await this.run('docker compose --profile "*" down --volumes --remove-orphans --timeout 10');
    // Also what root wrote in a container.
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Tests in order, on one set-up that the first of them starts. */
export function deployed(settings: () => Settings | Promise<Settings> = () => ({}), isStarted = true) {
  test.describe.configure({ mode: 'serial' });
  const at = {} as { deployment: Deployment };
  test.beforeAll(async () => {
    at.deployment = await Deployment.create(await settings());
    if (isStarted) await at.deployment.up();
  });
  test.afterAll(() => at.deployment?.remove());
  return at;
}
