import { expect, test } from '@playwright/test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../../scripts/stack/ports.ts';
import { MAILBOXES, useDeployment, root, TRIAL, WGET, withoutRegistry, type Deployment } from './deployment.ts';

/** A command that needs a Git repository. All others run unchanged. */
const LEFT_OUT = /^git pull$/gm;

/** Returns the blocks of commands without those after a comment "not run". */
function blocksOf(document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/(<!-- not run[^>]*-->\s+)?^ *```sh\n([^]*?)^ *```$/gm)]
    .filter(([, notRun]) => notRun === undefined)
    .map(([, , block = '']) => block);
}

/** Tag of the images that the commands build, and that are removed at the end. */
const OWN_VERSION = 'documents';

const at = useDeployment(() => ({ VERSION: OWN_VERSION }), false);
let settings: Readonly<Record<string, string>>;

test.beforeAll(async () => {
  const { deployment } = at;
  const [http = 0, https = 0] = await freePorts(2);
  writeFileSync(
    join(deployment.folder, 'checked.yml'),
    `services: { caddy: { ports: !override ['127.0.0.1:${http}:80', '127.0.0.1:${https}:443'] } }\n`,
  );
  await deployment.extendImage('caddy:2', WGET);
  // Instead of the reader's own domain, mail account, ports and network.
  settings = {
    ...MAILBOXES,
    COMPOSE_FILE: `${TRIAL}:checked.yml`,
    COMPOSE_PROFILES: 'caddy',
    SITE_URL: 'https://kitewright.localhost',
    SMTP_URL: 'smtp://mail:1025',
    VERSION: OWN_VERSION,
    PULL_POLICY: 'never',
    PORT: String(deployment.port),
    MAIL_UI_PORT: String(deployment.mailUiPort),
    CADDY_SUBNET: deployment.caddySubnet,
    RATE_LIMIT_PER_MINUTE: '100000',
  };
});

/**
 * Sends enquiries one after the other until it is stopped, each as the form does: a 503 is repeated twice, after its
 * Retry-After, under the same key. Returns the references of those that were accepted, and the number of the others.
 */
async function sendEnquiries(deployment: Deployment, isOver: () => boolean) {
  const result = { accepted: [] as string[], refused: 0, repeated: 0 };
  for (let number = 0; !isOver() || number < 3; number += 1) {
    const send = () => deployment.enquire(undefined, '-H', `idempotency-key: update-${number}-0123456789abcdef`);
    let answer = await send();
    for (let left = 2; answer.status === 503 && left > 0; left -= 1) {
      result.repeated += 1;
      await pause(1_000 * Number(answer.headers.get('retry-after')));
      answer = await send();
    }
    if (answer.status === 202) result.accepted.push(String(JSON.parse(answer.body).reference));
    else result.refused += 1;
    await pause(100);
  }
  return result;
}

test('update > loses no enquiry and refuses none > they are sent meanwhile', async () => {
  const { deployment } = at;
  const update = blocksOf('docs/operations.md').find((block) => block.includes('docker compose build --pull')) ?? '';
  await deployment.up();
  // Replaces the api, too.
  deployment.set({ RATE_LIMIT_PER_MINUTE: '200000' });
  let isOver = false;
  const [sent] = await Promise.all([
    sendEnquiries(deployment, () => isOver),
    follow(deployment, update).finally(() => (isOver = true)),
  ]);
  test.info().annotations.push({ type: 'repeated', description: `${sent.repeated} of ${sent.accepted.length}` });
  expect([sent.refused, new Set(sent.accepted).size]).toEqual([0, sent.accepted.length]);
  const listed = await deployment.do('docker compose exec -T worker submissions export');
  expect(sent.accepted.filter((reference) => !listed.includes(reference))).toEqual([]);
});

async function follow(deployment: Deployment, block: string): Promise<void> {
  const lines = withoutRegistry(block).replace(LEFT_OUT, '');
  // Replaces the worker, so that there is an archive to go back to.
  if (block.includes('before-update.tar')) deployment.set({ TIME_ZONE: 'Europe/Lisbon' });
  await deployment.do(`set -eo pipefail\nsubmissions() { docker compose exec -T worker submissions "$@"; }\n${lines}`);
  if (block.includes('.env <<')) deployment.set(settings);
  if (block.includes('up -d')) await deployment.enquiryArrives();
}

const DOCUMENTS = ['docs/install.md', 'docs/operations.md'];

test('documents > have no command with -f, and none that stops nginx', () => {
  for (const document of DOCUMENTS) {
    const text = readFileSync(join(root, document), 'utf8');
    expect(text, document).not.toMatch(/docker compose (?:\S+ )*-f /);
    expect(text, document).not.toMatch(/docker compose (?:stop|down)(?! (?:api|worker)\b).*/m);
  }
});

for (const document of DOCUMENTS) {
  for (const [index, block] of blocksOf(document).entries()) {
    const [first = ''] = block.trim().split('\n');
    test(`${document} > block ${index + 1} succeeds > ${first}`, () => follow(at.deployment, block));
  }
}
