import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { newApplication } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { FollowUpsRepository } from '../follow-ups/follow-ups.repository.ts';
import { UNDELIVERED_RETENTION_DAYS } from '../submissions/submission.ts';
import { LEASE_MS } from '../submissions/submissions.repository.ts';
import { runCommand } from './program.ts';

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stored: StoredSubmissions;

beforeAll(async () => {
  folder = await temporaryFolder();
  stored = await StoredSubmissions.open(folder.path);
});

afterEach(() => stored.clear());

afterAll(async () => {
  await stored.database.close();
  await folder.remove();
});

/** Keeps what is written to it. */
class Kept extends Writable {
  private readonly chunks: Buffer[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(Buffer.from(chunk));
    done();
  }
}

async function run(...all: (string | Record<string, string>)[]) {
  const [stdout, stderr] = [new Kept(), new Kept()];
  const args = all.filter((one) => typeof one === 'string');
  const environment = Object.assign({}, stored.environment, ...all.filter((one) => typeof one !== 'string')) as Record<
    string,
    string
  >;
  const code = await runCommand(args, { stdout, stderr, environment });
  return { code, out: stdout.bytes.toString(), bytes: stdout.bytes, words: stderr.bytes.toString() };
}

const states = (...ids: string[]) => Promise.all(ids.map((id) => stored.state(id)));

describe('The command list', () => {
  it('list shows what is not delivered, without a visitor’s data', async () => {
    const failed = await stored.enquiry({}, { state: 'failed', attempts: 3, error: 'SMTP 550' });
    const delivered = await stored.enquiry({}, { state: 'delivered' });
    const { code, out } = await run('list');
    expect(code).toBe(0);
    expect(out).toMatch(/^REFERENCE +FORM +STATE/);
    expect(out).toMatch(new RegExp(`${failed} +contact +failed +\\d+s +3 +\\d+d +SMTP 550`));
    expect(out).not.toContain(delivered);
    expect(out).not.toMatch(/Ada|visitor\.example/);
  });

  it('list shows when an undelivered submission will be deleted', async () => {
    const old = await stored.enquiry(
      {},
      { state: 'quarantined', ageMs: (UNDELIVERED_RETENTION_DAYS - 3) * DAY_MS + MINUTE_MS },
    );
    const pending = await stored.enquiry({}, { ageMs: (UNDELIVERED_RETENTION_DAYS - 3) * DAY_MS });
    const { out } = await run('list');
    expect(out).toMatch(new RegExp(`${old} .* 2d +links`));
    expect(out).toMatch(new RegExp(`${pending} +contact +pending +\\d+d +0$`, 'm'));
    expect(JSON.parse((await run('list', '--state', 'quarantined', '--json')).out)).toMatchObject([
      { deletedAfter: expect.any(String) },
    ]);
  });

  it('list filters by state and age, and prints JSON', async () => {
    const old = await stored.enquiry({}, { state: 'failed', ageMs: 120 * MINUTE_MS });
    await stored.enquiry({}, { state: 'failed' });
    await stored.enquiry();
    const { out } = await run('list', '--state', 'failed', '--older-than', '1h', '--json');
    expect(JSON.parse(out)).toMatchObject([{ reference: old, state: 'failed' }]);
  });

  it('list shows more submissions than one page of the database, each once', async () => {
    const ids = await Promise.all(Array.from({ length: 1_100 }, () => stored.enquiry()));
    const listed = JSON.parse((await run('list', '--json')).out) as { reference: string }[];
    expect(listed.map(({ reference }) => reference).toSorted()).toEqual(ids.toSorted());
  });

  it('list refuses unknown options', async () => {
    for (const options of ['--older-than soon', '--state lost', '--colour']) {
      expect([options, (await run('list', ...options.split(' '))).code]).toEqual([options, 2]);
    }
  });
});

describe('The command show', () => {
  it('show prints what the visitor sent without control characters', async () => {
    const id = await stored.enquiry({ message: 'Two lines:\nhere\u001b[2Jand \u202Ethere' });
    const { out } = await run('show', id.toLowerCase());
    expect(out).toContain('ada@visitor.example');
    expect(out).toContain('here\uFFFD[2Jand \uFFFDthere');
  });

  it('show tells the history: each attempt in the mail server’s words, who released it, and the delivery', async () => {
    const id = await stored.enquiry({}, { state: 'quarantined' });
    await run('release', id);
    const lease = await stored.submissions.acquire(id);
    if (!lease) throw new Error('not leased');
    const event = { code: 'SMTP 451', reply: '451 4.7.1 Greylisted' };
    await stored.submissions.endLease(lease, {
      pauseMs: 0,
      attempts: 1,
      error: 'The mail server asks to wait.',
      event,
    });
    const again = await stored.submissions.acquire(id);
    if (!again) throw new Error('not leased');
    await stored.submissions.endLease(again, {
      state: 'delivered',
      attempts: 2,
      event: { reply: '250 queued as 4ZkP1' },
    });
    const { out } = await run('show', id);
    const told = [...out.matchAll(/^history +\S+Z (.*)$/gm)].map(([, words]) => words);
    expect(told).toEqual([
      expect.stringMatching(/^released \S/),
      'attempt SMTP 451 451 4.7.1 Greylisted',
      'delivered 250 queued as 4ZkP1',
    ]);
    expect(JSON.parse((await run('show', id, '--json')).out)).toMatchObject({
      history: [{ event: 'released' }, { event: 'attempt', code: 'SMTP 451' }, { event: 'delivered' }],
    });
  });

  it('show reports an unknown reference', async () => {
    const words = expect.stringContaining('No submission has the reference');
    expect(await run('show', 'KW-0000-0000-0000-0000')).toMatchObject({ code: 3, words });
    expect((await run('show', '../../etc/passwd')).code).toBe(3);
  });
});

describe('The commands resend and release', () => {
  it('resend makes a failed submission pending with no attempts counted', async () => {
    const id = await stored.enquiry({}, { state: 'failed', attempts: 9 });
    expect((await run('resend', id)).code).toBe(0);
    expect(await stored.submissions.find(id)).toMatchObject({ state: 'pending', attempts: 0 });
  });

  it('resend --all-failed makes all failed submissions pending and no others', async () => {
    const failed = [await stored.enquiry({}, { state: 'failed' }), await stored.enquiry({}, { state: 'failed' })];
    const quarantined = await stored.enquiry({}, { state: 'quarantined' });
    expect(await run('resend', '--all-failed')).toMatchObject({ code: 0, out: '2 submissions will be sent again.\n' });
    expect(await states(...failed, quarantined)).toEqual(['pending', 'pending', 'quarantined']);
  });

  it('What is released goes to the webhook too, where there is one, and show and export tell what became of it', async () => {
    const id = await stored.enquiry({}, { state: 'quarantined' });
    expect((await run('release', id, { SUBMISSION_WEBHOOK_URL: 'https://crm.example/' })).code).toBe(0);
    const [webhook] = await new FollowUpsRepository(stored.database).acquire('webhook', [], 1);
    if (webhook)
      await new FollowUpsRepository(stored.database).settle(webhook, {
        state: 'failed',
        attempts: 1,
        lastError: 'HTTP 410',
      });
    expect((await run('show', id)).out).toMatch(/^beside the mail +\S+Z webhook failed, attempts: 1 HTTP 410$/m);
    expect(JSON.parse((await run('export')).out)).toMatchObject([
      { id, followUps: [{ kind: 'webhook', state: 'failed', attempts: 1, lastError: 'HTTP 410' }] },
    ]);
    const other = await stored.enquiry({}, { state: 'quarantined' });
    await run('release', other);
    expect((await run('show', other)).out).not.toContain('webhook');
  });

  it('resend has what was given up posted to the webhook again, and mails nothing that was delivered', async () => {
    const followUps = new FollowUpsRepository(stored.database);
    const posted = (outcome: Parameters<typeof stored.enquiry>[1]) =>
      stored.enquiry({}, { ...outcome, followUps: ['webhook', 'acknowledgement'] });
    const giveUp = async () => {
      for (const kind of ['webhook', 'acknowledgement'] as const)
        for (const one of await followUps.acquire(kind, [], 9))
          await followUps.settle(one, { state: 'failed', attempts: 110, lastError: 'HTTP 500' });
    };
    const ids = [await posted({ state: 'delivered' }), await posted({ state: 'failed' })] as const;
    const standing = async () =>
      (await Promise.all(ids.map((id) => followUps.of(id)))).map((rows) => rows.map(({ state }) => state));
    await giveUp();
    expect(await run('resend', ids[0])).toMatchObject({
      code: 0,
      out: `${ids[0]} will be posted to the webhook again.\n`,
    });
    expect((await run('resend', ids[0])).code).toBe(4);
    expect((await run('release', ids[1])).code).toBe(4);
    expect(await standing()).toEqual([
      ['failed', 'pending'],
      ['failed', 'failed'],
    ]);
    await giveUp();
    expect((await run('resend', '--all-failed')).words).toContain('Posts to the webhook that will be made again: 2.');
    expect(await states(...ids)).toEqual(['delivered', 'pending']);
    expect((await followUps.of(ids[1])).at(-1)).toMatchObject({ state: 'pending', attempts: 0 });
  });

  it('release accepts only quarantined submissions, and records the release', async () => {
    const id = await stored.enquiry({}, { state: 'quarantined' });
    expect((await run('release', id)).code).toBe(0);
    expect(await stored.submissions.find(id)).toMatchObject({ state: 'pending', releasedAt: expect.any(Number) });
    expect((await run('release', id)).code).toBe(4);
    expect((await run('resend', id)).code).toBe(4);
  });

  it('resend sends a delivered submission again only with --again', async () => {
    const id = await stored.enquiry({}, { state: 'delivered' });
    expect((await run('resend', id)).code).toBe(4);
    expect((await run('resend', '--again', id)).code).toBe(0);
    expect(await stored.state(id)).toBe('pending');
    expect((await stored.submissions.find(id))?.releasedAt).toBeNull();
  });

  it('resend --again --since sends what was delivered or failed in that period, and nothing else', async () => {
    const sent = (minutes: number, state: 'delivered' | 'failed' | 'quarantined') =>
      stored.enquiry({}, { state, ageMs: minutes * MINUTE_MS });
    const ids = [
      await sent(5, 'delivered'),
      await sent(5, 'failed'),
      await sent(5, 'quarantined'),
      await sent(90, 'delivered'),
    ];
    expect((await run('resend', '--again', '--since', '1h', '--until', '30m')).out).toMatch(/^0 submissions/);
    expect(
      (await run('resend', '--again', '--since', new Date(Date.now() - 60 * MINUTE_MS).toISOString())).out,
    ).toMatch(/^2 submissions/);
    expect(await states(...ids)).toEqual(['pending', 'pending', 'quarantined', 'delivered']);
    expect((await run('resend', '--again', '--since', '2h', '--until', '1h')).out).toMatch(/^1 submission will/);
  });

  it('resend refuses anything but one reference, all failed submissions, or a period', async () => {
    const wrong = [
      '',
      '--again',
      'KW-0000-0000-0000-0000 --all-failed',
      '--since 1h',
      '--again --until 1h',
      '--all-failed --again',
      '--again --since noon',
    ];
    for (const args of wrong)
      expect([args, (await run('resend', ...args.split(' ').filter(Boolean))).code]).toEqual([args, 2]);
  });
});

describe('The command export', () => {
  it('export writes JSON', async () => {
    expect(JSON.parse((await run('export')).out)).toEqual([]);
    const ids = [await stored.enquiry(), await stored.enquiry({}, { state: 'delivered' })];
    const all = JSON.parse((await run('export', '--format', 'json')).out) as { id: string }[];
    expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(
      JSON.parse((await run('export', '--email', 'ADA@visitor.example', '--state', 'delivered')).out),
    ).toMatchObject([{ id: ids[1] }]);
    expect(JSON.parse((await run('export', '--email', 'someone@else.example')).out)).toEqual([]);
  });

  it('export writes CSV with a line for an enquiry and one for an application', async () => {
    await stored.enquiry({ message: 'a "quoted",\nlong one' });
    await stored.application();
    const { out } = await run('export', '--format', 'csv');
    // Without the byte order mark Excel takes the text for its own old encoding.
    expect(out).toMatch(/^\uFEFFreference,form,state,/);
    expect(out).toContain('"a ""quoted"",\nlong one"');
    expect(out).toMatch(/KW-[^\r\n]*,application,pending,[^\r\n]*Ada Example[^\r\n]*résumé Ada\.pdf,1000\r\n/);
  });

  it('export writes CSV in which a line break of any kind stays inside its cell', async () => {
    for (const message of ['x\r=1+1', 'x\n=1+1', 'x\r\n=1+1']) await stored.enquiry({ message });
    const { out } = await run('export', '--format', 'csv');
    for (const cell of ['"x\r=1+1"', '"x\n=1+1"', '"x\r\n=1+1"']) expect(out).toContain(cell);
  });

  it('export writes CSV in which formulas are texts', async () => {
    const formulas = [
      '=1+1',
      '+44 20 7946',
      '-1',
      '@SUM(A1)',
      '\uFF1D1+1',
      '\uFF0B1',
      '\uFF0D1',
      '\uFF201',
      '\t=1+1',
      ' =1+1',
      '\rx',
      '\u00A0=1',
    ];
    for (const message of formulas) await stored.enquiry({ message });
    const { out } = await run('export', '--format', 'csv');
    expect(formulas.filter((formula) => !out.includes(`'${formula}`))).toEqual([]);
  });
});

describe('The command resume', () => {
  it('resume returns the bytes, on standard output or in a new file', async () => {
    const bytes = randomBytes(200_000);
    const id = await stored.application(bytes);
    expect((await run('resume', id)).bytes.equals(bytes)).toBe(true);
    const path = join(folder.path, 'out.pdf');
    expect((await run('resume', id, '--out', path)).code).toBe(0);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect((await run('resume', id, '--out', path)).code).toBe(1);
  });

  it('resume reports that an enquiry has no résumé', async () => {
    expect((await run('resume', await stored.enquiry())).code).toBe(3);
  });
});

describe('The command erase', () => {
  const files = async () =>
    (await readdir(folder.path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

  it('erase removes the rows and files of one person in every state, and proves it without personal data', async () => {
    const application = await stored.application();
    const delivered = await stored.enquiry({}, { state: 'delivered' });
    const mine = [application, delivered, await stored.enquiry({ email: 'ADA@Visitor.example' }, { state: 'failed' })];
    const other = await stored.enquiry({ email: 'grace@visitor.example' }, { state: 'failed' });
    expect(await run('erase', '--email', 'ada@visitor.example')).toMatchObject({
      code: 2,
      words: expect.stringContaining('Add --yes'),
    });
    expect(await stored.state(application)).toBe('pending');

    const { code, out } = await run('erase', '--email', 'Ada@visitor.EXAMPLE', '--yes');
    expect(code).toBe(0);
    expect(await states(...mine, other)).toEqual([undefined, undefined, undefined, 'failed']);
    expect((await files()).filter(({ name }) => name.startsWith('KW-'))).toEqual([]);
    const proof = JSON.parse(out) as { references: string[] };
    expect(proof).toMatchObject({ event: 'erased', at: expect.any(String), count: 3 });
    expect(proof.references.toSorted()).toEqual(mine.toSorted());
    expect(await stored.erasedIds()).toEqual(mine.toSorted());
    expect(out).not.toMatch(/ada/i);
    expect((await run('erase', '--email', 'ada@visitor.example', '--yes')).code).toBe(3);
  });

  it('An erased text is in no file of the database, though others write at the same time', async () => {
    const text = 'a text that nobody may find any more';
    const email = 'nobody.may.find@visitor.example';
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          stored.enquiry(
            index % 6 === 0
              ? { email, message: `${text} `.repeat(1 + index * 4) }
              : { message: 'x'.repeat(index * 90), email: `${index}@other.example` },
            { state: index % 3 === 0 ? 'delivered' : 'failed', error: 'SMTP 550' },
          ),
        ),
      );
    }
    const fields = { ...newApplication(Buffer.alloc(0)).fields, email, coverLetter: text };
    await stored.application(Buffer.from(text), { fields });
    const filesWith = async (part: string) => {
      const found = await Promise.all(
        (await files()).map(async ({ parentPath, name }) => ({ name, bytes: await readFile(join(parentPath, name)) })),
      );
      return found.filter(({ bytes }) => bytes.includes(part)).map(({ name }) => name);
    };
    expect(await filesWith(text)).toEqual(
      expect.arrayContaining(['submissions.db-wal', expect.stringMatching(/^KW-/)]),
    );

    expect(await run('erase', '--email', email, '--yes')).toMatchObject({ code: 0, words: '' });
    expect([...(await filesWith(text)), ...(await filesWith(email))]).toEqual([]);
    expect((await readdir(folder.path)).toSorted()).toEqual(
      expect.arrayContaining(['submissions.db', 'submissions.db-wal']),
    );
  });

  it('erase waits for a delivery that is under way, and then erases the submission', async () => {
    const id = await stored.enquiry();
    const lease = await stored.submissions.acquire(id);
    const erasing = run('erase', '--email', 'ada@visitor.example', '--yes');
    const waited = await Promise.race([erasing, new Promise((resolve) => setTimeout(resolve, 1_000, 'waiting'))]);
    expect(waited).toBe('waiting');
    expect(lease && (await stored.submissions.endLease(lease, { state: 'delivered', attempts: 0 }))).toBe(true);
    expect((await erasing).code).toBe(0);
    expect(await stored.state(id)).toBeUndefined();
  });

  it('erase gives up on a delivery that does not end, and proves what it did erase', async () => {
    const lease = await stored.submissions.acquire(await stored.enquiry());
    const free = await stored.enquiry();
    const now = Date.now;
    const clock = jest.spyOn(Date, 'now');
    const erasing = run('erase', '--email', 'ada@visitor.example', '--yes');
    await until('the other one erased', async () => (await stored.state(free)) === undefined);
    // The command's clock only: for the database the lease goes on.
    clock.mockImplementation(() => now() + LEASE_MS + MINUTE_MS);
    const { code, out } = await erasing;
    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject({ references: [free] });
    expect(await stored.state(lease?.submission.id ?? '')).toBe('pending');
  });

  it('erase --again erases what a restored backup brought back, and nothing received since', async () => {
    const [old, kept] = [await stored.enquiry({}, { ageMs: DAY_MS }), await stored.enquiry()];
    const proofs = join(folder.path, 'erased.jsonl');
    const at = new Date(Date.now() - MINUTE_MS).toISOString();
    await writeFile(proofs, `${JSON.stringify({ event: 'erased', at, count: 2, references: [old, kept] })}\n`);
    expect(await run('erase', '--again', proofs)).toMatchObject({ code: 0, out: expect.stringContaining(old) });
    expect(await states(old, kept)).toEqual([undefined, 'pending']);
    expect(await run('erase', '--again', proofs)).toMatchObject({ code: 0, out: '' });

    const third = await stored.enquiry({}, { ageMs: DAY_MS });
    const line = JSON.stringify({ event: 'erased', at, count: 1, references: [third] });
    const streams = { stdout: new Kept(), stderr: new Kept(), environment: stored.environment };
    expect(await runCommand(['erase', '--again', '-'], { ...streams, stdin: Readable.from([line]) })).toBe(0);
    expect(await stored.state(third)).toBeUndefined();

    await writeFile(proofs, '{"event":"erased"}\n');
    expect((await run('erase', '--again', proofs)).code).toBe(2);
    expect((await run('erase', '--again', proofs, '--email', 'ada@visitor.example')).code).toBe(2);
    expect((await run('erase')).code).toBe(2);
  });
});

describe('The program', () => {
  it('The help explains the commands and the exit codes', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    const commands = ['list', 'show', 'resend', 'release', 'export', 'erase', 'resume', 'backup', 'restore'];
    for (const name of [...commands, 'Exit codes']) expect(out).toContain(name);
  });

  it('A command names a wrong variable, or a database that cannot be used', async () => {
    expect(await run('list', { DATABASE_URL: 'mysql://database' })).toMatchObject({
      code: 1,
      words: expect.stringContaining('DATABASE_URL'),
    });
    await writeFile(join(folder.path, 'text.db'), 'This is no database.'.repeat(100));
    const words = 'Error: DATABASE_URL: SQLITE_NOTADB\n';
    expect(await run('list', { DATABASE_URL: `file:${folder.path}/text.db` })).toMatchObject({ code: 1, words });
  });
});
