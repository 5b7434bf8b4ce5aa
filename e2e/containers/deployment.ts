import { expect, test } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { ParsedMail } from 'mailparser';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import type { Environment } from '../harness/stack-process.ts';
import { Mailbox } from '../harness/mailbox.ts';
import { SERVICE } from '../../form-service/test/services.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Tag of the tested images. */
export const VERSION = 'checked';

/** Mailboxes of a company, which company.yaml does not have here. */
export const MAILBOXES = { SALES_INBOX: 'sales@example.org', HR_INBOX: 'jobs@example.org' };

/** Settings of docs/install.md, so that its build uses the cache. */
export const BUILT_WITH = { SITE_URL: 'https://example.org', ...MAILBOXES };

/** Compose files with a mail catcher instead of a mail server. */
export const TRIAL = 'docker-compose.yml:docker-compose.override.yml';

/** Adds the program of Caddy's health check where Caddy's image is a substitute without BusyBox. */
export const WGET =
  "RUN command -v wget || { printf '#!/bin/bash\\n: < /dev/tcp/127.0.0.1/2020\\n' > /usr/bin/wget && chmod 755 /usr/bin/wget; }";

/** Returns the first block of commands below a heading of a document. */
export function commandsUnder(document: string, heading: string): string {
  const text = readFileSync(join(root, document), 'utf8');
  const at = text.indexOf(`\n${heading}\n`);
  const [, commands] = /```sh\n([^]*?)^```$/m.exec(at < 0 ? '' : text.slice(at)) ?? [];
  if (commands === undefined) throw new Error(`${document} has no commands under "${heading}".`);
  return commands;
}

/** Removes options that need a registry. */
export const withoutRegistry = (commands: string) => commands.replace(/(?<=docker compose build)( --pull)/g, '');

export interface CommandResult {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Response to `curl`, which can choose the address, its family and the certificate. */
export interface CurlResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export const ENQUIRY = JSON.stringify({
  name: 'Ana Container',
  email: 'ana@example.org',
  phone: '',
  service: SERVICE,
  message: 'An enquiry through the containers.',
});

const APPLICATION = {
  fullName: 'Ben Container',
  email: 'ben@example.org',
  phone: '',
  position: 'Android Developer',
  experience: '5',
  coverLetter: 'An application through the containers.',
};

/**
 * A deployment in a copy of the repository, with its own `.env` and a unique project name. Tests use it with the commands
 * of the documents.
 */
export class Deployment {
  readonly folder: string;
  /** Project name of Docker Compose. */
  readonly name: string;
  readonly port: number;
  readonly mailUiPort: number;
  /** Reference of the latest submission. */
  reference = '';
  /** Environment of commands, without the settings for Docker Compose of the person who runs the tests. */
  readonly #environment: Environment;

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

  static async create(settings: Environment = {}): Promise<Deployment> {
    const folder = makeTemporaryFolder();
    const { stdout } = await execa('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
    for (const file of stdout.split('\n'))
      cpSync(join(root, file), join(folder, file), { recursive: true, force: true, errorOnExist: false });
    const [port = 0, mailUiPort = 0] = await freePorts(2);
    const deployment = new Deployment(folder, port, mailUiPort);
    deployment.set({
      COMPOSE_FILE: TRIAL,
      VERSION,
      // The tested images are built before.
      PULL_POLICY: 'never',
      PORT: String(port),
      MAIL_UI_PORT: String(mailUiPort),
      CADDY_SUBNET: deployment.caddySubnet,
      RATE_LIMIT_PER_MINUTE: '100000',
      ...settings,
    });
    return deployment;
  }

  /** Network of its own: Docker rejects one that another deployment uses. */
  get caddySubnet(): string {
    return `198.18.${(this.port >> 4) & 255}.${(this.port & 15) << 4}/28`;
  }

  /** Adds or replaces settings in `.env`. */
  set(settings: Environment): void {
    const file = join(this.folder, '.env');
    const kept = readFileSync(file, { encoding: 'utf8', flag: 'a+' })
      .split('\n')
      .filter((line) => line !== '' && !Object.hasOwn(settings, line.slice(0, line.indexOf('='))));
    writeFileSync(
      file,
      [...kept, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`), ''].join('\n'),
    );
  }

  /** Uses an image that is built on top of one of others, because a substitute for that may lack something. */
  async extendImage(image: string, lines: string): Promise<void> {
    const name = `kitewright-${image.replace(/:.*/, '')}:${VERSION}`;
    await this.do(`docker build --quiet --tag ${name} -`, { input: `FROM ${image}\n${lines}\n` });
    const file = join(this.folder, 'docker-compose.images.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(`image: ${image}\n`, `image: ${name}\n`));
  }

  /** Runs a shell command in the folder, which may fail. */
  async run(
    line: string,
    { input = '', env = {} }: { input?: string; env?: Environment } = {},
  ): Promise<CommandResult> {
    const options = { cwd: this.folder, env: { ...this.#environment, ...env }, extendEnv: false, input } as const;
    const { exitCode, stdout, stderr } = await execa('bash', ['-c', line], {
      ...options,
      reject: false,
      maxBuffer: 50e6,
    });
    return { exitCode, stdout, stderr };
  }

  /** Runs a shell command that must succeed, and returns its output. */
  async do(line: string, options: { input?: string; env?: Environment } = {}): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(line, options);
    expect(exitCode, `${line}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`).toBe(0);
    return stdout;
  }

  /** Starts all containers and waits until they are healthy. */
  async up(): Promise<void> {
    await this.do('docker compose --progress quiet up --detach --wait --wait-timeout 180');
  }

  /** Returns the ids of the containers, of all services by default. */
  async containers(service = ''): Promise<readonly string[]> {
    return (await this.do(`docker compose ps -q ${service}`)).split('\n').filter(Boolean);
  }

  async request(url: string, ...options: readonly string[]): Promise<CurlResponse> {
    const target = url.startsWith('/') ? `http://127.0.0.1:${this.port}${url}` : url;
    const { stdout } = await execa('curl', ['-sS', '-i', '-m', '30', ...options, target], {
      reject: false,
      stripFinalNewline: false,
    });
    // Skips "100 Continue".
    const [head = '', ...rest] = stdout.replace(/^HTTP\/\S+ 100[^]*?\r\n\r\n/, '').split('\r\n\r\n');
    const [first = '', ...fields] = head.split('\r\n');
    const pairs = fields.map((field) => field.split(/:\s*(.*)/s).slice(0, 2) as [string, string]);
    return { status: Number(first.split(' ')[1] ?? 0), headers: new Headers(pairs), body: rest.join('\r\n\r\n') };
  }

  /** Sends an enquiry and remembers its reference if it is accepted. */
  async enquire(url = '/api/contact', ...options: readonly string[]): Promise<CurlResponse> {
    const headers = ['content-type: application/json', `idempotency-key: ${randomUUID()}`].flatMap((one) => [
      '-H',
      one,
    ]);
    const answer = await this.request(url, ...headers, '-d', ENQUIRY, ...options);
    this.reference = /KW(?:-[0-9A-Z]{4}){4}/.exec(answer.body)?.[0] ?? this.reference;
    return answer;
  }

  /** Sends an application with a résumé and remembers its reference if it is accepted. */
  async apply(): Promise<CurlResponse> {
    const file = join(this.folder, 'cv.pdf');
    writeFileSync(file, '%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n');
    const fields = { ...APPLICATION, resume: `@${file};type=application/pdf` };
    const form = Object.entries(fields).flatMap(([name, value]) => ['-F', `${name}=${value}`]);
    const answer = await this.request('/api/resume', '-H', `idempotency-key: ${randomUUID()}`, ...form);
    this.reference = /KW(?:-[0-9A-Z]{4}){4}/.exec(answer.body)?.[0] ?? this.reference;
    return answer;
  }

  /** Sends an enquiry until it is accepted, and waits for its mail. */
  async enquiryArrives(url?: string, ...options: readonly string[]): Promise<void> {
    await expect(async () => expect((await this.enquire(url, ...options)).status).toBe(202)).toPass();
    await this.arrives();
  }

  /** Waits for the mail of the latest submission. */
  arrives(): Promise<ParsedMail> {
    return new Mailbox(`http://127.0.0.1:${this.mailUiPort}`).waitFor(this.reference);
  }

  async remove(): Promise<void> {
    if (test.info().errors.length > 0)
      process.stderr.write((await this.run('docker compose ps -a; docker compose logs --no-color --tail 40')).stdout);
    await this.run('docker compose --profile "*" down --volumes --rmi local --remove-orphans --timeout 10');
    // Containers may have written files as root.
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Creates one deployment for all tests of a file, which run in order. */
export function useDeployment(settings: () => Environment | Promise<Environment> = () => ({}), isStarted = true) {
  test.describe.configure({ mode: 'serial' });
  const at = {} as { deployment: Deployment };
  test.beforeAll(async () => {
    at.deployment = await Deployment.create(await settings());
    if (isStarted) await at.deployment.up();
  });
  test.afterAll(() => at.deployment?.remove());
  return at;
}
