import { expect, test } from '@playwright/test';
import { deployed, TRIAL } from './deployment.ts';

const at = deployed(() => ({
  COMPOSE_FILE: `${TRIAL}:docker-compose.postgres.yml`,
  POSTGRES_PASSWORD: 'a1b2c3d4e5f6',
}));

test('submissions are taken, kept in PostgreSQL and delivered', async () => {
  await at.deployment.enquiryArrives();
  const kept = `docker compose exec -T postgres psql -U kitewright -At -c "select count(*) from submissions where state = 'delivered'"`;
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
