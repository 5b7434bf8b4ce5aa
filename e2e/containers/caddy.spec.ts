import { expect, test } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

let ports: readonly number[];
let trust: readonly string[];

test.beforeAll(async () => {
  const { deployment } = at;
  ports = await freePorts(2);
  const published = `['127.0.0.1:${ports[0]}:80', '127.0.0.1:${ports[1]}:443']`;
  writeFileSync(join(deployment.folder, 'ports.yml'), `services: { caddy: { ports: !override ${published} } }\n`);
  await deployment.extendImage('caddy:2', WGET);
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
});
