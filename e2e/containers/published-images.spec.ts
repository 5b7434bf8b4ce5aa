import { expect, test } from '@playwright/test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_WITH, useDeployment, VERSION } from './deployment.ts';

/** Images of a release, by the name of the local one. */
const PUBLISHED = { 'form-service': 'example/form-service:1.2.3', nginx: 'example/nginx:1.2.3' };
const WEB = 'example/web:1.2.3';
const SERVICE = PUBLISHED['form-service'];

const at = useDeployment(
  () => ({ ...BUILT_WITH, IMAGE_PREFIX: 'example', VERSION: '1.2.3', PULL_POLICY: 'never' }),
  false,
);

test.beforeAll(async () => {
  for (const [name, image] of Object.entries(PUBLISHED))
    await at.deployment.do(`docker tag localhost/kitewright/${name}:${VERSION} ${image}`);
  await at.deployment.up();
});
test.afterAll(() => at.deployment.run(`docker image rm --force ${Object.values(PUBLISHED).join(' ')} ${WEB}`));

const idOf = (image: string) => at.deployment.do(`docker image inspect -f '{{ .Id }}' ${image}`);

test('published images > deliver an enquiry, and only the pages are built', async () => {
  const { deployment } = at;
  await deployment.enquiryArrives();
  for (const [name, image] of Object.entries(PUBLISHED))
    expect(await idOf(image)).toBe(await idOf(`localhost/kitewright/${name}:${VERSION}`));
  for (const [service, image] of Object.entries({ api: SERVICE, worker: SERVICE, nginx: PUBLISHED.nginx, site: WEB }))
    expect(await deployment.do(`docker compose ps -a --format '{{.Image}}' ${service}`)).toBe(image);
});

test('published images > have no content', async () => {
  const { deployment } = at;
  expect(await deployment.do(`docker run --rm ${SERVICE} ls /srv`)).toBe('form-service\nnode_modules');
  expect(await deployment.do(`docker run --rm --entrypoint ls ${PUBLISHED.nginx} /srv`)).not.toContain('built');
});

test('the image of the service > names the settings of the worker > nothing is mounted', async () => {
  const { exitCode, stderr } = await at.deployment.run(`docker run --rm ${SERVICE} node dist/worker.js`);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/\n {2}SALES_INBOX has an address under \.example.*\n {2}HR_INBOX has /),
  ]);
});

test('containers > are not created > the folder of the content is missing', async () => {
  const { deployment } = at;
  const content = join(deployment.folder, 'frontend/content');
  renameSync(content, `${content}-away`);
  const { exitCode, stderr } = await deployment.run('docker compose up --detach --force-recreate --no-deps api');
  renameSync(`${content}-away`, content);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('frontend/content')]);
  await deployment.up();
});
