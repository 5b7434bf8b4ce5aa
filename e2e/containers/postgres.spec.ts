import { expect, test } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsUnder, root, useDeployment, TRIAL } from './deployment.ts';

const at = useDeployment(() => ({ COMPOSE_FILE: TRIAL }), false);

test.beforeAll(async () => {
  const { deployment } = at;
  // Folders as in the official image, which a substitute may not have.
  const folders = '-m 700 /var/lib/postgresql/data && install -d -o 999 -g 999 -m 1777 /var/run/postgresql';
  await deployment.extendImage('postgres:17', `USER root\nRUN install -d -o 999 -g 999 ${folders}`);
  await deployment.up();
});

test('move to PostgreSQL > keeps submissions and résumés and delivers pending ones', async () => {
  const { deployment } = at;
  await deployment.enquiryArrives();
  await deployment.do('docker compose stop mail');
  await expect(async () => expect((await deployment.apply()).status).toBe(202)).toPass();
  await deployment.do(
    `set -eo pipefail\n${commandsUnder('docs/operations.md', '### Move to PostgreSQL or to a bucket')}`,
  );
  await deployment.arrives();
  const count = "select count(*) from submissions where state = 'delivered'";
  const kept = `docker compose exec -T postgres psql -U kitewright -At -c "${count}"`;
  await expect.poll(() => deployment.do(kept)).toBe('2');
  await deployment.enquiryArrives();
});

test('going back > restores the archive, and keeps the submissions since in a file', async () => {
  const { deployment } = at;
  await deployment.do('docker compose exec -T worker submissions backup > before-update.tar');
  const count = () =>
    deployment.do('docker compose exec -T postgres psql -U kitewright -At -c "select count(*) from submissions"');
  const archived = await count();
  await deployment.enquiryArrives();
  const since = deployment.reference;
  const commands = commandsUnder('docs/operations.md', '### Go back to the version before');
  const [, ofPostgres = ''] =
    /^```sh\n(docker compose exec -T postgres psql [^]*?)^```$/m.exec(
      readFileSync(join(root, 'docs/operations.md'), 'utf8'),
    ) ?? [];
  expect(commands).toMatch(/^.* mv submissions.db.*\n/m);
  await deployment.do(commands.replace(/^.* mv submissions.db.*\n/m, () => ofPostgres));
  expect(readFileSync(join(deployment.folder, 'replaced.csv'), 'utf8')).toContain(since);
  expect(await count()).toBe(archived);
  await deployment.enquiryArrives();
});
