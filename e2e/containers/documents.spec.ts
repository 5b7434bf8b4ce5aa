import { expect, test } from '@playwright/test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../scripts/stack/ports.ts';
import { deployed, root, TRIAL, VERSION, type Deployment } from './deployment.ts';

/** What a machine without the registries, and a copy without a repository, cannot do; everything else is run as it stands. */
const LEFT_OUT = [
  /(?<=docker compose build)( --pull)/g,
  /^git pull$/gm,
  /^docker compose pull.*$/gm,
  /^docker image prune.*$/gm,
];

/** The example's reference, for which the latest enquiry's is put. */
const REFERENCE = /KW-VKJC-G357-5ERR-WSDM/g;

/** Blocks of commands, but for those that say before them why they are not run. */
function blocksOf(document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/(<!-- not run[^>]*-->\s+)?^ *```sh\n([^]*?)^ *```$/gm)]
    .filter(([, notRun]) => notRun === undefined)
    .map(([, , block = '']) => block);
}

const at = deployed(() => ({}), false);
let settings: Readonly<Record<string, string>>;

test.beforeAll(async () => {
  const { deployment } = at;
  const [http = 0, https = 0] = await freePorts(2);
  writeFileSync(
    join(deployment.folder, 'checked.yml'),
    `services: { caddy: { ports: !override ['127.0.0.1:${http}:80', '127.0.0.1:${https}:443'] } }\n`,
  );
  writeFileSync(join(deployment.folder, 'erasures.jsonl'), '');
  // In the place of the reader's own domain, mail account and ports.
  settings = {
    COMPOSE_FILE: `${TRIAL}:docker-compose.caddy.yml:checked.yml`,
    DOMAIN: 'kitewright.localhost',
    SMTP_URL: 'smtp://mail:1025',
    VERSION,
    PORT: String(deployment.port),
    MAIL_UI_PORT: String(deployment.mailUiPort),
    RATE_LIMIT_PER_MINUTE: '100000',
  };
});

async function follow(deployment: Deployment, block: string): Promise<void> {
  const lines = LEFT_OUT.reduce((text, pattern) => text.replace(pattern, ''), block).replace(
    REFERENCE,
    deployment.reference,
  );
  await deployment.do(`set -eo pipefail\nsubmissions() { docker compose exec -T worker submissions "$@"; }\n${lines}`);
  if (block.includes('.env <<')) deployment.set(settings);
  if (/up -d|rolling-update/.test(block)) await deployment.enquiryArrives();
}

const DOCUMENTS = ['docs/install.md', 'docs/operations.md'];

test('an update brings the newest base and images along', () => {
  const update = blocksOf('docs/install.md').find((block) => block.includes('git pull')) ?? '';
  expect(update).toMatch(/docker compose build --pull\ndocker compose pull --ignore-buildable\n/);
});

test('no command chooses another set-up by -f, and none stops nginx, which serves the pages meanwhile', () => {
  for (const document of DOCUMENTS) {
    const text = readFileSync(join(root, document), 'utf8');
    expect(text, document).not.toMatch(/docker compose (?:\S+ )*-f /);
    expect(text, document).not.toMatch(/docker compose (?:stop|down)(?! api worker$).*/m);
  }
});

for (const document of DOCUMENTS) {
  for (const [index, block] of blocksOf(document).entries()) {
    const [first = ''] = block.trim().split('\n');
    test(`${document}, block ${index + 1} does what it says: ${first}`, () => follow(at.deployment, block));
  }
}

test('each enquiry sent meanwhile is in the database', async () => {
  const listed = await at.deployment.do('docker compose exec -T worker submissions list --state all');
  expect(listed).toContain('delivered');
});
