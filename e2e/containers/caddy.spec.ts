import { expect, test } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../scripts/stack/ports.ts';
import { deployed, TRIAL } from './deployment.ts';

/** Caddy signs for names under .localhost with an authority of its own; everything else is as with a public one. */
const DOMAIN = 'kitewright.localhost';

const at = deployed(
  () => ({
    COMPOSE_FILE: `${TRIAL}:docker-compose.caddy.yml:ports.yml`,
    DOMAIN,
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

const overTls = (url: string, ...options: readonly string[]) => at.deployment.ask(url, ...trust, ...options);

test('the site has a certificate by itself, and what is right only over TLS', async () => {
  await expect.poll(async () => (await overTls(`https://${DOMAIN}/about`)).status).toBe(200);
  const { headers } = await overTls(`https://${DOMAIN}/about`);
  expect(headers.get('strict-transport-security')).toBe('max-age=86400');
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests');
  expect(headers.get('alt-svc')).toContain('h3=');
});

test('plain HTTP and www. lead to the one address', async () => {
  const plain = await at.deployment.ask(`http://127.0.0.1:${ports[0]}/about?a=b`, '-H', `host: ${DOMAIN}`);
  expect(plain.headers.get('location')).toBe(`https://${DOMAIN}/about?a=b`);
  const www = await overTls(`https://www.${DOMAIN}/about?a=b`);
  expect([www.status, www.headers.get('location')]).toEqual([301, `https://${DOMAIN}/about?a=b`]);
});

test('an enquiry is in the inbox', async () => {
  await at.deployment.enquiryArrives(`https://${DOMAIN}/api/contact`, ...trust);
});

test('nobody can state the address that their limit is counted by', async () => {
  const statuses = [];
  for (let time = 0; time < 12; time += 1) {
    const claim = ['-H', `x-forwarded-for: 198.51.100.${time}`];
    statuses.push((await at.deployment.enquire(`https://${DOMAIN}/api/contact`, ...trust, ...claim)).status);
  }
  expect(statuses).toContain(429);
  const log = await at.deployment.do('docker compose logs --no-log-prefix nginx');
  expect(log, 'Caddy is believed about the visitor').not.toContain('not in TRUSTED_PROXIES');
});
