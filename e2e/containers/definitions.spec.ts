import { expect, test } from '@playwright/test';
import { readFileSync, rmSync } from 'node:fs';
import { join, normalize } from 'node:path';
import type { Environment } from '../harness/stack-process.ts';
import { Deployment, TRIAL } from './deployment.ts';

interface Service {
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly init?: boolean;
  readonly logging?: { readonly options?: Readonly<Record<string, string>> };
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly networks?: object;
  readonly network_mode?: string;
  readonly ports?: readonly { readonly host_ip?: string; readonly published: string; readonly target: number }[];
  readonly volumes?: readonly { readonly type: string; readonly source: string; readonly read_only?: boolean }[];
}

interface Definitions {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

/** Networks of each service, and whether they lead out. The object storage file lets the api reach it. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  site: [],
  nginx: ['caddy', 'edge', 'front'],
  caddy: ['caddy', 'edge'],
  api: ['back', 'front'],
  worker: ['back', 'front', 'outside'],
  redis: ['back'],
  postgres: ['back'],
  clamav: ['back', 'outside'],
  prometheus: ['back', 'monitoring', 'outside'],
  grafana: ['edge', 'monitoring'],
  mail: ['outside'],
};
const INTERNAL = ['back', 'caddy', 'front', 'monitoring'];

/** Files of an installation, with a service that only they have. */
const FILES = {
  'docker-compose.yml': 'caddy',
  [TRIAL]: 'mail',
  'docker-compose.yml:docker-compose.postgres.yml': 'postgres',
  'docker-compose.yml:docker-compose.s3.yml': 'caddy',
};

let deployment: Deployment;
/** Mount of the content, whose folder Docker does not create. */
let CONTENT: object;
test.beforeAll(async () => {
  deployment = await Deployment.create();
  const source = join(deployment.folder, 'frontend/content');
  CONTENT = { type: 'bind', source, target: '/srv/frontend/content', read_only: true, bind: {} };
});
test.afterAll(() => rmSync(deployment.folder, { recursive: true }));

const read = async (env: Environment): Promise<Definitions> =>
  JSON.parse(await deployment.do('docker compose --profile "*" config --format json', { env })) as Definitions;

/** Protection of a service, as far as it is the same for all. */
const protectionOf = ({ logging, security_opt, healthcheck, ...service }: Service) => ({
  readOnly: service.read_only,
  dropped: service.cap_drop,
  added: service.cap_add ?? [],
  options: security_opt,
  init: service.init,
  isPrivileged: service.privileged ?? false,
  isLimited: Number(service.mem_limit) > 0 && Number(service.pids_limit) > 0,
  log: logging?.options,
  // Without a network it is a command that ends.
  isChecked: Boolean(healthcheck?.test) || service.network_mode === 'none',
});
const PROTECTED = {
  readOnly: true,
  dropped: ['ALL'],
  added: [],
  options: ['no-new-privileges:true'],
  init: true,
  isPrivileged: false,
  isLimited: true,
  log: { 'max-size': '10m', 'max-file': '3' },
  isChecked: true,
};
/** Caddy's binary needs the capability. ClamAV's image prepares its folders as root. nginx's image has its own check. */
const EXCEPTIONS: Readonly<Record<string, object>> = {
  nginx: { isChecked: false },
  caddy: { added: ['NET_BIND_SERVICE'] },
  clamav: { readOnly: undefined, dropped: undefined },
};

for (const [files, only] of Object.entries(FILES))
  test(`definitions > protect and limit every container > ${files}`, async () => {
    const { services, networks } = await read({ COMPOSE_FILE: files });
    expect(Object.keys(services)).toContain(only);
    for (const [name, service] of Object.entries(services)) {
      expect(protectionOf(service), name).toEqual({ ...PROTECTED, ...EXCEPTIONS[name] });
      const expected = NETWORKS[name] ?? [];
      const ofStorage = name === 'api' && files.includes('.s3.') ? ['outside'] : [];
      expect(Object.keys(service.networks ?? {}).sort(), name).toEqual([...expected, ...ofStorage]);
      // Of the machine only the content is mounted.
      const mounted = service.volumes?.filter(({ type }) => type !== 'volume') ?? [];
      expect(mounted, name).toEqual(name === 'api' || name === 'worker' ? [CONTENT] : []);
    }
    const internal = Object.keys(networks).filter((name) => networks[name]?.internal);
    expect(internal.sort()).toEqual(INTERNAL.filter((name) => name in networks));
  });

const published = ({ ports = [] }: Service = {}) =>
  ports.map(({ host_ip: host, published: port, target }) => `${host ?? '*'}:${port}:${target}`);

test('definitions > publish only Caddy beyond this machine, unless HOST says so', async () => {
  const own = { HOST: '', PORT: '80', TLS_PORT: '443', TLS_CERTIFICATE: '/tls/a.pem' };
  const { services } = await read({ COMPOSE_FILE: TRIAL, PORT: '8080' });
  for (const [name, service] of Object.entries(services))
    if (name !== 'caddy') expect(published(service).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  expect(published(services['nginx'])).toEqual(['127.0.0.1:8080:8080']);
  expect(published(services['caddy'])).toEqual(['*:80:80', '*:443:443', '*:443:443']);
  const { nginx } = (await read({ COMPOSE_FILE: 'docker-compose.yml', ...own })).services;
  expect(published(nginx)).toEqual(['*:80:8080', '*:443:18080']);
  const mounted = nginx?.volumes?.filter(({ type }) => type === 'bind') ?? [];
  // Some versions of Compose leave it to Docker to shorten the path.
  expect(mounted.map(({ source }) => normalize(source))).toEqual(['/tls']);
});

test('definitions > always build the pages here, and pull the other images', async () => {
  const { services } = await read({
    COMPOSE_FILE: TRIAL,
    IMAGE_PREFIX: 'registry.example/acme',
    VERSION: '1.2.3',
    PULL_POLICY: '',
  });
  expect(services['site']).toMatchObject({ image: 'registry.example/acme/web:1.2.3', pull_policy: 'never', build: {} });
  for (const [name, image] of Object.entries({ nginx: 'nginx', api: 'form-service', worker: 'form-service' }))
    expect(services[name]).toMatchObject({ image: `registry.example/acme/${image}:1.2.3`, pull_policy: 'missing' });
});

test('definitions > name the images of others in one file, where Dependabot finds them', () => {
  const names = readFileSync(join(deployment.folder, 'docker-compose.images.yml'), 'utf8').replace(/^#.*$/gm, '');
  const found = [...names.matchAll(/image: ([\w/-]+:\S+)$/gm)].map(([, name]) => name);
  expect(found).toEqual(expect.arrayContaining(['redis:7', 'postgres:17']));
  for (const file of Object.keys(FILES).join(':').split(':'))
    expect(readFileSync(join(deployment.folder, file), 'utf8'), file).not.toMatch(/^ +image: (?!\$\{IMAGE_PREFIX)/m);
  // Dependabot finds the base images of these in FROM, and not in an argument.
  for (const folder of ['form-service', 'nginx'])
    expect(readFileSync(join(deployment.folder, folder, 'Dockerfile'), 'utf8'), folder).not.toMatch(
      /^(FROM .*\$\{|ARG .*:)/m,
    );
});
