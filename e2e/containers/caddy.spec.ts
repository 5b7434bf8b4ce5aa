import { expect, test } from '@playwright/test';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { freePorts } from '../../scripts/stack/ports.ts';
import { useDeployment, TRIAL, WGET } from './deployment.ts';

/** For names under .localhost Caddy signs certificates with its own authority. Everything else is as in production. */
const DOMAIN = 'kitewright.localhost';

const at = useDeployment(
  () => ({
    COMPOSE_FILE: `${TRIAL}:ports.yml`,
    COMPOSE_PROFILES: 'caddy',
    SITE_URL: `https://${DOMAIN}`,
    RATE_LIMIT_PER_MINUTE: '5',
  }),
  false,
);
/** Less than Caddy's default limit of a minute for headers. It has none for bodies. */
const SLOW_MAX_MS = 45_000;

let ports: readonly number[];
let trust: readonly string[];

test.beforeAll(async () => {
  const { deployment } = at;
  ports = await freePorts(2);
  const published = `['127.0.0.1:${ports[0]}:80', '127.0.0.1:${ports[1]}:443']`;
  writeFileSync(join(deployment.folder, 'ports.yml'), `services: { caddy: { ports: !override ${published} } }\n`);
  await deployment.extendImage('caddy:2', WGET);
  // The real limit is too long for a test.
  configure('read_body 6m', 'read_body 15s');
  await deployment.up();
  const authority = join(deployment.folder, 'authority.pem');
  const copy = `docker compose cp caddy:/data/caddy/pki/authorities/local/root.crt ${authority}`;
  await expect.poll(async () => (await deployment.run(copy)).exitCode).toBe(0);
  trust = [
    '--cacert',
    authority,
    ...[DOMAIN, `www.${DOMAIN}`].flatMap((name) => ['--connect-to', `${name}:443:127.0.0.1:${ports[1]}`]),
  ];
});

/** Changes Caddy's configuration. */
function configure(old: string, text: string): void {
  const file = join(at.deployment.folder, 'docker-compose.yml');
  const configuration = readFileSync(file, 'utf8');
  expect(configuration).toContain(old);
  writeFileSync(file, configuration.replace(old, text));
}

const overTls = (url: string, ...options: readonly string[]) => at.deployment.request(url, ...trust, ...options);

test('Caddy > gets a certificate and sends the headers for TLS', async () => {
  await expect.poll(async () => (await overTls(`https://${DOMAIN}/about`)).status).toBe(200);
  const { headers } = await overTls(`https://${DOMAIN}/about`);
  expect(headers.get('strict-transport-security')).toBe('max-age=86400');
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
  expect(headers.get('alt-svc')).toContain('h3=');
});

test('Caddy > redirects plain HTTP and www. to the canonical address', async () => {
  const plain = await at.deployment.request(`http://127.0.0.1:${ports[0]}/about?a=b`, '-H', `host: ${DOMAIN}`);
  expect(plain.headers.get('location')).toBe(`https://${DOMAIN}/about?a=b`);
  const www = await overTls(`https://www.${DOMAIN}/about?a=b`);
  expect([www.status, www.headers.get('location')]).toEqual([301, `https://${DOMAIN}/about?a=b`]);
});

/** Sends the beginning of a request, and resolves when the server answers or closes the connection. */
async function untilEnded(beginning: string): Promise<void> {
  const socket = connect({ port: ports[1] ?? 0, host: '127.0.0.1', servername: DOMAIN, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  if (beginning) socket.write(beginning);
  const signal = AbortSignal.timeout(SLOW_MAX_MS);
  socket.on('error', () => undefined);
  try {
    await Promise.race([once(socket, 'data', { signal }), once(socket, 'close', { signal })]);
  } finally {
    socket.destroy();
  }
}

test('Caddy > closes the connections of slow clients', async () => {
  const head = `POST /api/contact HTTP/1.1\r\nHost: ${DOMAIN}\r\nContent-Type: application/json\r\n`;
  await Promise.all([untilEnded(''), untilEnded(head), untilEnded(`${head}Content-Length: 100\r\n\r\n{`)]);
  await at.deployment.enquiryArrives(`https://${DOMAIN}/api/contact`, ...trust);
});

test('Caddy > sends no Server header, and HSTS for www.', async () => {
  for (const name of [DOMAIN, `www.${DOMAIN}`]) {
    const { headers } = await overTls(`https://${name}/about`);
    expect([headers.get('server'), headers.get('strict-transport-security')], name).toEqual([null, 'max-age=86400']);
  }
});

test('Caddy > logs no visitor data > nginx is stopped', async () => {
  const { deployment } = at;
  await deployment.do('docker compose stop nginx');
  const visitor = ['-H', 'user-agent: visitor-agent', '-H', 'referer: https://visitor.example/'];
  expect((await overTls(`https://${DOMAIN}/about?visitor=query`, ...visitor)).status).toBe(502);
  await deployment.do('docker compose start nginx');
  const log = await deployment.do('docker compose logs --no-log-prefix caddy');
  expect(log).toContain('"uri":"/about"');
  expect(log).not.toMatch(/visitor|remote_ip|client_ip|remote_port|user-agent/i);
});

test('Caddy > passes an enquiry on, which arrives', async () => {
  await at.deployment.enquiryArrives(`https://${DOMAIN}/api/contact`, ...trust);
});

test('Caddy > ignores the X-Forwarded-For of clients for the rate limit', async () => {
  const statuses = [];
  for (let time = 0; time < 12; time += 1) {
    const claim = ['-H', `x-forwarded-for: 198.51.100.${time}`];
    statuses.push((await at.deployment.enquire(`https://${DOMAIN}/api/contact`, ...trust, ...claim)).status);
  }
  expect(statuses).toContain(429);
  const log = await at.deployment.do('docker compose logs --no-log-prefix nginx');
  expect(log, 'nginx trusts Caddy').not.toContain('not in TRUSTED_PROXIES');
});

test('update > replaces Caddy > one byte of its configuration has changed', async () => {
  const { deployment } = at;
  await deployment.up();
  const before = await deployment.containers('caddy');
  await deployment.up();
  expect(await deployment.containers('caddy')).toEqual(before);
  configure('read_body 15s', 'read_body 16s');
  await deployment.up();
  expect(await deployment.containers('caddy')).not.toEqual(before);
  expect(await deployment.do('docker compose exec -T caddy cat /config/Caddyfile')).toContain('read_body 16s');
});
