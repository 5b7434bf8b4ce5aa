import { expect, test } from '@playwright/test';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { root } from '../harness/stack-process.ts';
import { Mailbox } from '../harness/mailbox.ts';

const SERVER = join(root, 'scripts/mail-catcher/server.ts');

let folder: string;
let smtp: number;
let url: string;
let server: ChildProcess;

async function start(): Promise<void> {
  const args = [SERVER, `${smtp}`, new URL(url).port, folder];
  server = spawn(...endingWithParent('SIGTERM', process.execPath, args), { stdio: 'inherit' });
  await expect(async () => expect((await fetch(`${url}/api/healthz`)).status).toBe(200)).toPass();
}

async function stop(): Promise<void> {
  const ended = once(server, 'exit');
  server.kill();
  await ended;
}

test.beforeAll(async () => {
  const [smtpPort = 0, webPort = 0] = await freePorts(2);
  folder = makeTemporaryFolder();
  smtp = smtpPort;
  url = `http://127.0.0.1:${webPort}`;
  await start();
});
test.afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

test('mail catcher > shows a mail and its file after a restart, and runs no script', async ({ page }) => {
  const content = Buffer.alloc(11_000_000, 'ä');
  const sent = await createTransport({ port: smtp }).sendMail({
    from: 'Site <no-reply@kitewright.example>',
    to: 'hr@kitewright.example',
    subject: 'Ærø <b>KW-1</b>',
    text: '<i>Plain</i>\ntext',
    html: '<p id="part">Styled</p><script>part.textContent = "Run"</script>',
    attachments: [{ filename: 'résumé "1".pdf', content }],
  });
  expect(sent.accepted).toEqual(['hr@kitewright.example']);
  await stop();
  await start();
  await page.goto(url);
  await expect(page.getByRole('listitem').filter({ hasText: 'Ærø <b>KW-1</b>' })).toContainText(
    'hr@kitewright.example',
  );
  await page.getByRole('link', { name: 'KW-1' }).click();
  await expect(page.getByText('<i>Plain</i>')).toBeVisible();
  await expect(page.frameLocator('iframe').getByText('Styled')).toBeVisible();
  const link = page.getByRole('link', { name: 'résumé "1".pdf' });
  // Not a download: the browser names a file by the locale of the system.
  const file = await page.request.get(new URL((await link.getAttribute('href')) ?? '', url).href);
  expect(file.headers()['content-disposition']).toBe("attachment; filename*=UTF-8''r%C3%A9sum%C3%A9%20%221%22.pdf");
  expect((await file.body()).equals(content)).toBe(true);
  const mail = await new Mailbox(url).waitFor('KW-1');
  expect(mail.attachments[0]?.content.equals(content)).toBe(true);
});

test('mail catcher > answers 404 > the path leads out of its folder', async () => {
  for (const path of ['/mail/..%2Fother', '/api/email/../../other/source', '/mail/'])
    expect((await fetch(`${url}${path}`)).status).toBe(404);
});
