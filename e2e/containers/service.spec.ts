import { expect, test } from '@playwright/test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useDeployment } from './deployment.ts';

const at = useDeployment();

test('containers > serve pages and deliver an enquiry', async () => {
  expect((await at.deployment.request('/')).status).toBe(200);
  expect((await at.deployment.request('/no-such-page')).status).toBe(404);
  await at.deployment.enquiryArrives();
});

test('containers > publish nginx, and the mail catcher on the loopback address', async () => {
  const { deployment } = at;
  const published = await deployment.do(`docker compose ps --format '{{.Service}} {{.Ports}}' | grep -- '->' | sort`);
  expect(published.split('\n').map((line) => line.replace(/ .*?([\d.]+:\d+)->.*/, ' $1'))).toEqual([
    `mail 127.0.0.1:${deployment.mailUiPort}`,
    `nginx 127.0.0.1:${deployment.port}`,
  ]);
  const everywhere = await deployment.do('docker compose config --format json', { env: { HOST: '0.0.0.0' } });
  const { services } = JSON.parse(everywhere) as { services: Record<string, { ports?: { host_ip?: string }[] }> };
  expect(services.nginx?.ports?.[0]?.host_ip).toBe('0.0.0.0');
  expect(services.mail?.ports?.[0]?.host_ip).toBe('127.0.0.1');
});

test('mail catcher > shows a mail on its page > the container is replaced', async () => {
  const { deployment } = at;
  await deployment.do('docker compose up --detach --wait --no-deps --force-recreate mail');
  const page = await deployment.request(`http://127.0.0.1:${deployment.mailUiPort}/`, '-H', 'accept: text/html');
  expect(page.body).toContain(deployment.reference);
});

test('containers > run without root, capabilities and a writable image', async () => {
  for (const id of await at.deployment.containers()) {
    const host = await at.deployment.do(
      `docker inspect -f '{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}}' ${id}`,
    );
    expect(host).toBe('true [ALL]');
    expect(await at.deployment.do(`docker exec ${id} id -u`)).not.toBe('0');
  }
});

test('containers > are checked rarely and cheaply', async () => {
  const { services } = JSON.parse(await at.deployment.do('docker compose config --format json')) as {
    services: Record<string, { healthcheck?: { interval?: string; test?: string[] } }>;
  };
  for (const name of ['api', 'worker', 'redis', 'mail']) {
    const { interval, test: command = [] } = services[name]?.healthcheck ?? {};
    expect([interval, command[1]], name).toEqual(['30s', expect.not.stringMatching(/^node/)]);
  }
});

test('images > have the prefix of no foreign registry', async () => {
  const images = (await at.deployment.do('docker compose config --images')).split('\n');
  expect(new Set(images)).toEqual(
    new Set([
      'localhost/kitewright/web:checked',
      'localhost/kitewright/nginx:checked',
      'localhost/kitewright/form-service:checked',
      `${at.deployment.name}-mail`,
      'redis:7',
    ]),
  );
  const own = await at.deployment.do('docker compose config --images', {
    env: { IMAGE_PREFIX: 'registry.example/acme', VERSION: '1.2.3' },
  });
  expect(own.split('\n')).toEqual(expect.arrayContaining(['registry.example/acme/web:1.2.3']));
});

test('mails > come from the host of company.yaml > no setting names one', async () => {
  const { deployment } = at;
  const file = join(deployment.folder, 'frontend/content/company.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^host: .*$/m, 'host: https://www.firm.example'));
  await deployment.do('docker compose restart worker');
  await deployment.enquire();
  const { from, messageId } = await deployment.arrives();
  writeFileSync(file, text);
  await deployment.do('docker compose restart worker');
  expect(from?.value.map(({ address }) => address)).toEqual(['no-reply@firm.example']);
  expect(messageId).toMatch(/@www\.firm\.example>$/);
});

test('nginx > starts and serves pages, and answers forms with 503 > the api is stopped', async () => {
  const { deployment } = at;
  await deployment.do('docker compose stop api && docker compose restart nginx');
  await expect.poll(async () => (await deployment.request('/')).status).toBe(200);
  const refused = await deployment.enquire('/api/contact', '-H', 'accept: application/json');
  expect(refused.status).toBe(503);
  expect(JSON.parse(refused.body)).toMatchObject({ success: false, message: expect.stringContaining('not available') });
  await deployment.do('docker compose start api');
  await deployment.enquiryArrives();
});

test('nginx > serves pages after the first start > the api never becomes healthy', async () => {
  const { deployment } = at;
  await deployment.do('docker compose down');
  await deployment.run('docker compose up --detach', { env: { RATE_LIMIT_PER_MINUTE: 'many' } });
  await expect.poll(async () => (await deployment.request('/')).status).toBe(200);
  // An address that has just disappeared does not refuse the connection: nginx times out.
  expect([503, 504]).toContain((await deployment.enquire()).status);
  await deployment.up();
  await deployment.enquiryArrives();
});

test('api > is restarted after kill -9', async () => {
  const { deployment } = at;
  const [api = ''] = await deployment.containers('api');
  const restarts = () => deployment.do(`docker inspect -f '{{.RestartCount}}' ${api}`);
  // From inside: Docker does not restart a container after docker kill.
  await deployment.run(
    `docker exec ${api} bash -c 'for p in /proc/[0-9]*; do [[ $(readlink $p/exe) = */node ]] && kill -9 \${p#/proc/}; done'`,
  );
  await expect.poll(restarts).not.toBe('0');
  await deployment.enquiryArrives();
});

test('doctor > lists successful checks and versions', async () => {
  const { deployment } = at;
  const { stdout } = await deployment.run('docker compose exec -T worker submissions doctor');
  const lines = stdout.split('\n');
  for (const well of ['mail server', 'redis', 'storage', 'disk', 'files']) expect(lines).toContain(`ok    ${well}`);
  for (const line of ['note  version', 'note  trial', 'ok    api: version', 'ok    worker: version'])
    expect(lines).toContainEqual(expect.stringContaining(line));
});

test('enquiry > is accepted without Redis and delivered when it is available again', async () => {
  const { deployment } = at;
  await deployment.do('docker compose stop redis && docker compose restart api worker');
  await expect.poll(async () => (await deployment.enquire()).status).toBe(202);
  await deployment.do('docker compose start redis');
  await deployment.arrives();
});

test('rate limit > counts each visitor behind a local proxy', async () => {
  const { deployment } = at;
  deployment.set({ TRUSTED_PROXIES: 'host', RATE_LIMIT_PER_MINUTE: '5' });
  await deployment.up();
  const from = (address: string) => deployment.enquire('/api/contact', '-H', `x-forwarded-for: ${address}`);
  for (let visitor = 1; visitor <= 12; visitor += 1) expect((await from(`198.51.100.${visitor}`)).status).toBe(202);
  const statuses = [];
  for (let time = 0; time < 12; time += 1) statuses.push((await from('198.51.100.99')).status);
  expect(statuses).toContain(429);
});

test('TRUSTED_PROXIES=host > is refused > with a public HOST', async () => {
  const { deployment } = at;
  const { exitCode, stderr } = await deployment.run('docker compose run --rm --no-deps nginx', {
    env: { HOST: '0.0.0.0', TRUSTED_PROXIES: 'host' },
  });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('TRUSTED_PROXIES=host needs HOST=127.0.0.1')]);
});
