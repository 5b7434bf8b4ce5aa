import { mkdir, readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pdf } from '../../test/corpus/pdf.ts';
import { MailServer } from '../../test/mail-server.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { openStore } from '../storage/open-store.ts';
import { runCommand } from './program.ts';

Logger.overrideLogger(false);

const RESUME = new Blob([new Uint8Array(pdf(20_000))], { type: 'application/pdf' });

describe('backup and restore', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const running: { end(): Promise<unknown> }[] = [];
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.end()));
    await folder.remove();
  });

  const archive = (number = 1) => join(folder.path, `submissions-${number}.tgz`);
  const place = (name: string) => ({ STORAGE_URL: `file:${join(folder.path, name)}`, INSTANCE: name });
  async function run(environment: Record<string, string>, ...args: string[]) {
    const words: string[] = [];
    const stream = () => new Writable({ write: (chunk, _encoding, done) => (words.push(String(chunk)), done()) });
    return { code: await runCommand(args, { stdin: Readable.from([]), stdout: stream(), stderr: stream(), environment }), words: words.join('') };
  }
  async function product(name: string) {
    const [redis, mail] = await Promise.all([RedisServer.start(), MailServer.start()]);
    const environment = { ...place(name), REDIS_URL: redis.url, SMTP_URL: mail.url, RATE_LIMIT_PER_MINUTE: '1000000' };
    running.push({ end: () => Promise.all([redis.stop(), mail.stop()]) });
    const start = async (program: 'api' | 'worker') => {
      const process = await ServiceProcess.start(program, environment);
      running.unshift({ end: () => process.end('SIGKILL') });
      return process;
    };
    return { mail, start, environment };
  }

  it('taken under load and restored elsewhere, it has all that was accepted before, and the pending go out with their Message-ID', async () => {
    const first = await product('first');
    const [api] = await Promise.all([first.start('api'), first.start('worker')]);
    const accepted: string[] = [];
    const stop = new AbortController();
    const sending = Promise.all([1, 2, 3, 4].map((client) => sendUntil(stop.signal, String(api.url), client, accepted)));
    let before: readonly string[] = [];
    let backups = 0;
    await until('a backup of a folder in use', async () => {
      // One that the mail server puts off, and that therefore stays pending for seconds.
      const begun = first.mail.attempts;
      first.mail.mood = { refuse: 'sender', code: 451 };
      await until('it being put off', () => first.mail.attempts > begun);
      first.mail.mood = 'accept';

      before = [...accepted];
      const deliveredBefore = first.mail.received.length;
      expect(await run(first.environment, 'backup', '--out', archive(++backups))).toEqual({ code: 0, words: '' });
      return accepted.length > before.length && first.mail.received.length > deliveredBefore;
    });
    stop.abort();
    await sending;
    await until('everything delivered', () => first.mail.received.length >= accepted.length);

    const second = await product('second');
    await mkdir(join(folder.path, 'second'));
    expect(await run(second.environment, 'restore', '--in', archive(backups))).toMatchObject({ code: 0, words: expect.stringMatching(/^Restored: \d+ pending, \d+ delivered/) });
    const store = await openStore({ STORAGE_URL: second.environment.STORAGE_URL, INSTANCE: 'test' });
    const pending: string[] = [];
    for (const id of before) {
      const found = await store.find(id);
      expect([id, found?.state]).toEqual([id, expect.stringMatching(/^(pending|delivered)$/)]);
      if (found?.state === 'pending') pending.push(id);
      if (found?.submission.form === 'application') for await (const chunk of await store.openResume(id)) expect(chunk.length).toBeGreaterThan(0);
    }
    await store.close();
    expect(pending.length).toBeGreaterThan(0);

    await second.start('worker');
    const sent = (mail: MailServer) => mail.received.map(({ messageId }) => messageId);
    await until('the pending mailed again', () => pending.every((id) => sent(second.mail).some((messageId) => messageId?.includes(id))));
    expect(sent(first.mail)).toEqual(expect.arrayContaining(sent(second.mail)));
    expect(await readdir(join(folder.path, 'second/damaged'))).toEqual([]);
  });

  it('leaves a folder alone that is in use, or when the archive is not whole', async () => {
    const [from, to] = [place('from'), place('to')];
    for (const environment of [from, to]) await (await openStore(environment)).close();
    expect((await run(from, 'backup', '--out', archive())).code).toBe(0);
    expect(await run(from, 'backup', '--out', archive())).toMatchObject({ code: 1, words: expect.stringContaining('EEXIST') });

    await truncate(archive(), 100);
    expect(await run(to, 'restore', '--in', archive())).toEqual({ code: 1, words: 'This is no whole archive of submissions.\n' });
    expect(await readdir(join(folder.path, 'to'))).toEqual(await readdir(join(folder.path, 'from')));
    expect(await run({ STORAGE_URL: 's3://bucket' }, 'backup', '--out', archive())).toMatchObject({ code: 1, words: expect.stringContaining('object store') });
  });
});

/** Sends an enquiry, or now and then an application, as soon as the one before was answered. */
async function sendUntil(signal: AbortSignal, url: string, client: number, accepted: string[]): Promise<void> {
  for (let count = 1; !signal.aborted; count++) {
    await send(url, `Visitor ${client}-${count}`, count % 5 === 0, accepted);
    await pause(5);
  }
}

async function send(url: string, name: string, isApplication: boolean, accepted: string[]): Promise<void> {
  const email = 'ada@visitor.example';
  const application = new FormData();
  for (const [field, value] of Object.entries({ fullName: name, email })) application.set(field, value);
  application.set('resume', RESUME, 'cv.pdf');
  const answer = await fetch(`${url}/api/${isApplication ? 'resume' : 'contact'}`, {
    method: 'POST',
    body: isApplication ? application : JSON.stringify({ name, email, service: 'Web Development', message: `From ${name}.` }),
    headers: { Accept: 'application/json', ...(isApplication ? {} : { 'Content-Type': 'application/json' }) },
  });
  expect(answer.status).toBe(202);
  accepted.push(((await answer.json()) as { reference: string }).reference);
}
