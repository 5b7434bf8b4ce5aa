import { expect, test } from '@playwright/test';
import { useDeployment } from './deployment.ts';

const at = useDeployment();

test('containers > serve pages and deliver an enquiry', async () => {
  expect((await at.deployment.request('/')).status).toBe(200);
  expect((await at.deployment.request('/no-such-page')).status).toBe(404);
  await at.deployment.enquiryArrives();
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
