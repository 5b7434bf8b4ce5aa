import { expect, test } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployed, TRIAL } from './deployment.ts';

const IMAGE = 'kitewright-postgres:checked';

const at = deployed(
  () => ({
    COMPOSE_FILE: `${TRIAL}:docker-compose.postgres.yml:checked.yml`,
    POSTGRES_PASSWORD: 'a1b2c3d4e5f6',
  }),
  false,
);

test.beforeAll(async () => {
  const { deployment } = at;
  // As the published image has its folders; one that stands in for it may not.
  const folders = '-m 700 /var/lib/postgresql/data && install -d -o 999 -g 999 -m 1777 /var/run/postgresql';
  const input = `FROM postgres:17\nUSER root\nRUN install -d -o 999 -g 999 ${folders}\n`;
  await deployment.do(`docker build --quiet --tag ${IMAGE} -`, { input });
  writeFileSync(join(deployment.folder, 'checked.yml'), `services: { postgres: { image: '${IMAGE}' } }\n`);
  await deployment.up();
});
test.afterAll(() => at.deployment.run(`docker image rm --force ${IMAGE}`));

test('submissions are taken, kept in PostgreSQL and delivered', async () => {
  await at.deployment.enquiryArrives();
  const count = "select count(*) from submissions where state = 'delivered'";
  const kept = `docker compose exec -T postgres psql -U kitewright -At -c "${count}"`;
  await expect.poll(() => at.deployment.do(kept)).toBe('1');
});

test('an update keeps to the database that runs', async () => {
  const { deployment } = at;
  expect((await deployment.run('scripts/rolling-update', { env: { COMPOSE_FILE: TRIAL } })).exitCode).toBe(1);
  await deployment.do('scripts/rolling-update');
  const [worker] = await deployment.containers('worker');
  expect(await deployment.do(`docker inspect -f '{{.Config.Env}}' ${worker}`)).toContain('DATABASE_URL=postgres://');
  await deployment.enquiryArrives();
});
