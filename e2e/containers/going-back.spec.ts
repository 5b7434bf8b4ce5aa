import { expect, test } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Mailbox } from '../harness/mailbox.ts';
import { commandsUnder, useDeployment, type Deployment } from './deployment.ts';

const at = useDeployment();

const CLIENTS = 4;
const ENQUIRY_EVERY_MS = 20;

/** Sends enquiries during an action, and returns the references of the accepted ones. */
async function acceptedDuring(deployment: Deployment, action: () => Promise<unknown>): Promise<readonly string[]> {
  const accepted: string[] = [];
  const end = new AbortController();
  const visitors = Array.from({ length: CLIENTS }, async () => {
    while (!end.signal.aborted) {
      const { status, body } = await deployment.enquire();
      if (status === 202) accepted.push((JSON.parse(body) as { reference: string }).reference);
      await pause(ENQUIRY_EVERY_MS);
    }
  });
  try {
    await expect.poll(() => accepted.length).toBeGreaterThan(20);
    await action();
  } finally {
    end.abort();
    await Promise.all(visitors);
  }
  return accepted;
}

test('going back > mails everything that was accepted, and names it', async () => {
  const { deployment } = at;
  await deployment.enquiryArrives();
  const archived = deployment.reference;
  await deployment.do('docker compose exec -T worker submissions backup > before-update.tar');
  let replaced = '';
  const commands = commandsUnder('docs/operations.md', '### Go back to the version before');
  const accepted = await acceptedDuring(deployment, async () => {
    replaced = await deployment.do(commands);
  });
  const mailbox = new Mailbox(`http://127.0.0.1:${deployment.mailUiPort}`);
  for (const reference of accepted) await mailbox.waitFor(reference);
  const listed = await deployment.do('docker compose exec -T worker submissions list --state all');
  const missing = accepted.filter((reference) => !listed.includes(reference));
  expect(missing.length).toBeGreaterThan(20);
  for (const reference of missing) expect(replaced).toContain(reference);
  expect(replaced).not.toContain(archived);
  expect(listed).toContain(archived);
  expect(readFileSync(join(deployment.folder, 'replaced.json'), 'utf8')).toContain(missing[0]);
});

test('going back > changes nothing > mails cannot be sent', async () => {
  const { deployment } = at;
  await deployment.do('docker compose exec -T worker rm -r /var/lib/kitewright/before && docker compose stop mail');
  await expect(async () => expect((await deployment.enquire()).status).toBe(202)).toPass();
  const commands = commandsUnder('docs/operations.md', '### Go back to the version before');
  const { exitCode, stdout } = await deployment.run(commands.replace('--wait 10m', '--wait 2s'));
  expect([exitCode, stdout]).toEqual([5, expect.stringContaining(deployment.reference)]);
  await deployment.do('docker compose start api mail');
  await deployment.arrives();
});
