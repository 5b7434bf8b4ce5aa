import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { newApplication, overwriteFile } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { ErasuresRepository } from '../submissions/erasures.repository.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { FolderStore } from '../files/folder-store.ts';
import { UNDELIVERED_RETENTION_DAYS } from '../submissions/submission.ts';
import { LEASE_MS } from '../outbox/waits.ts';
import { serviceWords } from '../contract/service-words.ts';
import { runCommand } from './program.ts';

const submissions = serviceWords('submissions');

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

/** Stream that collects its input. */
class Collector extends Writable {
  private readonly chunks: Buffer[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(Buffer.from(chunk));
    done();
  }
}

const run = (...all: (string | Record<string, string>)[]) => runPaged(undefined, ...all);

/** Runs a command. @param pageRows number of rows that a statement takes, if not the default */
async function runPaged(pageRows: number | undefined, ...all: (string | Record<string, string>)[]) {
  const [stdout, stderr] = [new Collector(), new Collector()];
  const args = all.filter((one) => typeof one === 'string');
  const environment = Object.assign({}, stored.environment, ...all.filter((one) => typeof one !== 'string')) as Record<
    string,
    string
  >;
  const code = await runCommand(args, { stdout, stderr, environment, ...(pageRows && { pageRows }) });
  return { code, out: stdout.bytes.toString(), bytes: stdout.bytes, words: stderr.bytes.toString() };
}

const states = (...ids: string[]) => Promise.all(ids.map((id) => stored.state(id)));

describe('list', () => {
  it('shows undelivered submissions without visitor data', async () => {
    const failed = await stored.enquiry({}, { state: 'failed', attempts: 3, error: 'SMTP 550' });
    const delivered = await stored.enquiry({}, { state: 'delivered' });
    const { code, out } = await run('list');
    expect(code).toBe(0);
    expect(out).toMatch(/^REFERENCE +FORM +STATE/);
    expect(out).toMatch(new RegExp(`${failed} +contact +failed +\\d+s +3 +\\d+d +SMTP 550`));
    expect(out).not.toContain(delivered);
    expect(out).not.toMatch(/Ada|visitor\.example/);
  });

  it('shows when an undelivered submission will be deleted', async () => {
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

  it('filters by state and age, and prints JSON', async () => {
    const old = await stored.enquiry({}, { state: 'failed', ageMs: 120 * MINUTE_MS });
    await stored.enquiry({}, { state: 'failed' });
    await stored.enquiry();
    const { out } = await run('list', '--state', 'failed', '--older-than', '1h', '--json');
    expect(JSON.parse(out)).toMatchObject([{ reference: old, state: 'failed' }]);
  });

  it('waits until there are none > --wait', async () => {
    const id = await stored.enquiry();
    const waiting = run('list', '--state', 'pending', '--wait', '1h');
    const lease = await stored.submissions.acquire(id);
    if (lease) await stored.submissions.endLease(lease, { state: 'delivered', attempts: 1 });
    expect(await waiting).toMatchObject({ code: 0, out: '' });
  });

  it('lists the rest with exit code 5 > the time of --wait is over', async () => {
    const id = await stored.enquiry();
    const { code, out, words } = await run('list', '--state', 'pending', '--wait', '0s');
    expect([code, out]).toEqual([5, expect.stringContaining(id)]);
    expect(words).toContain('1 is left');
  });

  it('rejects unknown options', async () => {
    for (const options of ['--older-than soon', '--state lost', '--colour']) {
      expect([options, (await run('list', ...options.split(' '))).code]).toEqual([options, 2]);
    }
  });
});

describe('pages', () => {
  // Of 7 submissions: several pages, and one that is full.
  const PAGES = [3, 7];
  const ROWS = 7;
  const store = () =>
    Promise.all(Array.from({ length: ROWS }, () => stored.enquiry({}, { state: 'failed' }))).then((ids) =>
      ids.toSorted(),
    );
  const referencesOf = (lines: string) =>
    lines
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { references: string[] }).references);
  const sizesOf = (pageRows: number) =>
    Array.from({ length: Math.ceil(ROWS / pageRows) }, (_, page) => Math.min(pageRows, ROWS - page * pageRows));

  it.each(PAGES)('list and export have each submission once > of %i rows', async (pageRows) => {
    const ids = await store();
    const listed = JSON.parse((await runPaged(pageRows, 'list', '--json')).out) as { reference: string }[];
    expect(listed.map(({ reference }) => reference).toSorted()).toEqual(ids);
    const { out, words } = await runPaged(pageRows, 'export');
    expect((JSON.parse(out) as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(ids);
    expect(referencesOf(words).flat().toSorted()).toEqual(ids);
    expect(referencesOf(words).map(({ length }) => length)).toEqual(sizesOf(pageRows));
  });

  it.each(PAGES)('resend --all-failed sends each again > of %i rows', async (pageRows) => {
    const ids = await store();
    expect((await runPaged(pageRows, 'resend', '--all-failed')).out).toBe(`${ROWS} submissions will be sent again.\n`);
    expect(await states(...ids)).toEqual(Array(ROWS).fill('pending'));
  });

  it.each(PAGES)('erase and erasures prove each erasure > of %i rows', async (pageRows) => {
    const ids = await store();
    const other = await stored.enquiry({ email: 'grace@visitor.example' });
    const { out } = await runPaged(pageRows, 'erase', '--email', 'ada@visitor.example', '--yes');
    expect(await stored.ids()).toEqual([other]);
    const at = Date.now();
    await stored.database.run((db) => db.updateTable('erasures').set({ erasedAt: at }).execute());
    for (const lines of [out, (await runPaged(pageRows, 'erasures')).out]) {
      expect(referencesOf(lines).flat().toSorted()).toEqual(ids);
      expect(referencesOf(lines).map(({ length }) => length)).toEqual(sizesOf(pageRows));
    }
  });

  it.each(PAGES)('orphans keeps the files of submissions > of %i rows', async (pageRows) => {
    const ids = await Promise.all(Array.from({ length: ROWS }, () => stored.application()));
    for (const { name, parentPath } of await readdir(folder.path, { recursive: true, withFileTypes: true }))
      if (name.startsWith('KW-')) await utimes(join(parentPath, name), 1, 1);
    const [orphan = ''] = ids;
    await stored.database.run((db) => db.deleteFrom('submissions').where('id', '=', orphan).execute());
    const { out, words } = await runPaged(pageRows, 'orphans');
    expect([out.trim(), words]).toEqual([
      expect.stringContaining(orphan),
      `1 of ${ROWS} files belong to no submission.\n`,
    ]);
  });
});

describe('show', () => {
  it('prints visitor data without control characters', async () => {
    const id = await stored.enquiry({ message: 'Two lines:\nhere\u001b[2Jand \u202Ethere' });
    const { out } = await run('show', id.toLowerCase());
    expect(out).toContain('ada@visitor.example');
    expect(out).toContain('here\uFFFD[2Jand \uFFFDthere');
  });

  it('prints the finding of the virus scan as a text, as the other commands do', async () => {
    const reasons = ['links', 'virus scan: Eicar'] as const;
    const id = await stored.application(undefined, { quarantined: true, reasons });
    expect((await run('show', id)).out).toMatch(/^reasons +links; virus scan: Eicar$/m);
    expect((await run('list')).out).toMatch(/links; virus scan: Eicar$/m);
    expect((await run('export', '--format', 'csv')).out).toContain('"links, virus scan: Eicar"');
    const listed = JSON.parse((await run('list', '--json')).out) as unknown;
    expect(listed).toMatchObject([{ reasons: ['links', 'virus scan: Eicar'] }]);
  });

  it('prints who has it, labels and reminder', async () => {
    const id = await stored.enquiry();
    const handling = new HandlingRepository(stored.database);
    await handling.take(id, 'ada');
    await handling.label({ id, labels: '' }, ['invited', 'on hold'], 'ada');
    await handling.remind(id, { on: '2026-12-03', at: Date.parse('2026-12-03') }, 'ada');
    const { out } = await run('show', id);
    expect(out).toMatch(/^takenBy +ada$[^]*^labels +invited, on hold$[^]*^remindAt +2026-12-03T00:00:00.000Z$/m);
    expect(out).toMatch(/^history +\S+ labelled ada invited$/m);
  });

  it('prints the history: release, attempts with the server’s reply, delivery', async () => {
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
    const history = [...out.matchAll(/^history +\S+Z (.*)$/gm)].map(([, words]) => words);
    expect(history).toEqual([
      expect.stringMatching(/^released \S/),
      'attempt SMTP 451 451 4.7.1 Greylisted',
      'delivered 250 queued as 4ZkP1',
    ]);
    expect(JSON.parse((await run('show', id, '--json')).out)).toMatchObject({
      history: [{ event: 'released' }, { event: 'attempt', code: 'SMTP 451' }, { event: 'delivered' }],
    });
  });

  it('reports an unknown reference', async () => {
    const words = expect.stringContaining('No submission has the reference');
    expect(await run('show', 'KW-0000-0000-0000-0000')).toMatchObject({ code: 3, words });
    expect((await run('show', '../../etc/passwd')).code).toBe(3);
  });
});

describe('resend and release', () => {
  it('resend makes a failed submission pending without attempts', async () => {
    const id = await stored.enquiry({}, { state: 'failed', attempts: 9 });
    expect((await run('resend', id)).code).toBe(0);
    expect(await stored.submissions.find(id)).toMatchObject({ state: 'pending', attempts: 0 });
  });

  it('resend --all-failed makes only failed submissions pending', async () => {
    const failed = [await stored.enquiry({}, { state: 'failed' }), await stored.enquiry({}, { state: 'failed' })];
    const quarantined = await stored.enquiry({}, { state: 'quarantined' });
    expect(await run('resend', '--all-failed')).toMatchObject({ code: 0, out: '2 submissions will be sent again.\n' });
    expect(await states(...failed, quarantined)).toEqual(['pending', 'pending', 'quarantined']);
  });

  it('release posts to the webhook; show and export print the result', async () => {
    const id = await stored.enquiry({}, { state: 'quarantined' });
    expect((await run('release', id, { SUBMISSION_WEBHOOK_URL: 'https://crm.example/' })).code).toBe(0);
    const [webhook] = await new NotificationsRepository(stored.database).acquire('webhook', [], 1);
    if (webhook)
      await new NotificationsRepository(stored.database).settle(webhook, {
        state: 'failed',
        attempts: 1,
        lastError: 'HTTP 410',
      });
    expect((await run('show', id)).out).toMatch(/^notification +\S+Z webhook failed, attempts: 1 HTTP 410$/m);
    expect(JSON.parse((await run('export')).out)).toMatchObject([
      { id, notifications: [{ kind: 'webhook', state: 'failed', attempts: 1, lastError: 'HTTP 410' }] },
    ]);
    const other = await stored.enquiry({}, { state: 'quarantined' });
    await run('release', other);
    expect((await run('show', other)).out).not.toContain('webhook');
  });

  it('resend posts failed webhook posts again without a second mail', async () => {
    const notifications = new NotificationsRepository(stored.database);
    const posted = (outcome: Parameters<typeof stored.enquiry>[1]) =>
      stored.enquiry({}, { ...outcome, notifications: ['webhook', 'acknowledgement'] });
    const giveUp = async () => {
      for (const kind of ['webhook', 'acknowledgement'] as const)
        for (const one of await notifications.acquire(kind, [], 9))
          await notifications.settle(one, { state: 'failed', attempts: 110, lastError: 'HTTP 500' });
    };
    const ids = [await posted({ state: 'delivered' }), await posted({ state: 'failed' })] as const;
    const standing = async () =>
      (await Promise.all(ids.map((id) => notifications.of(id)))).map((rows) => rows.map(({ state }) => state));
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
    expect((await run('resend', '--all-failed')).words).toContain('will be posted to the webhook again: 2.');
    expect(await states(...ids)).toEqual(['delivered', 'pending']);
    expect((await notifications.of(ids[1])).at(-1)).toMatchObject({ state: 'pending', attempts: 0 });
  });

  it('resend posts nothing of a quarantined submission', async () => {
    const id = await stored.enquiry({}, { state: 'quarantined', notifications: ['webhook'] });
    await stored.database.run((db) => db.updateTable('notifications').set({ state: 'failed' }).execute());
    for (const options of [[id], ['--again', id]]) expect((await run('resend', ...options)).code).toBe(4);
    expect((await run('resend', '--all-failed')).words).not.toContain('webhook');
    expect((await new NotificationsRepository(stored.database).of(id))[0]?.state).toBe('failed');
  });

  it('release accepts only quarantined submissions, and records it', async () => {
    const id = await stored.enquiry({}, { state: 'quarantined' });
    expect((await run('release', id)).code).toBe(0);
    expect(await stored.submissions.find(id)).toMatchObject({ state: 'pending', releasedAt: expect.any(Number) });
    expect((await run('release', id)).code).toBe(4);
    expect((await run('resend', id)).code).toBe(4);
  });

  it('resend rejects a delivered submission > --again is missing', async () => {
    const id = await stored.enquiry({}, { state: 'delivered' });
    expect((await run('resend', id)).code).toBe(4);
    expect((await run('resend', '--again', id)).code).toBe(0);
    expect(await stored.state(id)).toBe('pending');
    expect((await stored.submissions.find(id))?.releasedAt).toBeNull();
  });

  it('resend --again --since selects those delivered or failed in the period', async () => {
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

  it('resend rejects an ambiguous selection', async () => {
    const wrong = [
      '',
      '--again',
      'KW-0000-0000-0000-0000 --all-failed',
      '--since 1h',
      '--again --until 1h',
      '--all-failed --again',
      '--all-failed --since 1h',
      '--all-failed --until 1h',
      'KW-0000-0000-0000-0000 --again --since 1h',
      'KW-0000-0000-0000-0000 --until 1h',
      '--again --since noon',
    ];
    for (const args of wrong)
      expect([args, (await run('resend', ...args.split(' ').filter(Boolean))).code]).toEqual([args, 2]);
  });

  it('resend sends nothing > a script passes an empty reference', async () => {
    const failed = await stored.enquiry({}, { state: 'failed' });
    expect((await run('resend', '')).code).toBe(2);
    for (const selection of [['--again'], ['--all-failed'], ['--again', '--since', '1h']])
      expect((await run('resend', '', ...selection)).code).toBe(2);
    expect(await stored.state(failed)).toBe('failed');
  });
});

describe('export', () => {
  it('writes JSON', async () => {
    expect(JSON.parse((await run('export')).out)).toEqual([]);
    const ids = [await stored.enquiry(), await stored.enquiry({}, { state: 'delivered' })];
    const all = JSON.parse((await run('export', '--format', 'json')).out) as { id: string }[];
    expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(
      JSON.parse((await run('export', '--email', 'ADA@visitor.example', '--state', 'delivered')).out),
    ).toMatchObject([{ id: ids[1] }]);
    expect(JSON.parse((await run('export', '--email', 'someone@else.example')).out)).toEqual([]);
  });

  it('selects one form > also of one person, and refuses an unknown one', async () => {
    const [enquiry, application] = [await stored.enquiry(), await stored.application()];
    const idsOf = async (...args: string[]) =>
      (JSON.parse((await run('export', ...args)).out) as { id: string }[]).map(({ id }) => id);
    expect(await idsOf('--form', 'contact')).toEqual([enquiry]);
    expect(await idsOf('--form', 'application', '--email', 'ada@visitor.example')).toEqual([application]);
    expect((await run('export', '--form', 'parner')).words).toContain('Allowed choices are contact, application');
  });

  it('writes CSV with enquiries and applications', async () => {
    await stored.enquiry({ message: 'a "quoted",\nlong one' });
    await stored.application();
    const { out } = await run('export', '--format', 'csv');
    // Without the byte order mark Excel takes the text for its own old encoding.
    expect(out).toMatch(/^\uFEFFreference,form,state,/);
    expect(out).toContain('"a ""quoted"",\nlong one"');
    expect(out).toMatch(/KW-[^\r\n]*,application,pending,[^\r\n]*Ada Example[^\r\n]*résumé Ada\.pdf,1000,+\r\n/);
  });

  it('writes CSV that keeps line breaks inside a cell', async () => {
    for (const message of ['x\r=1+1', 'x\n=1+1', 'x\r\n=1+1']) await stored.enquiry({ message });
    const { out } = await run('export', '--format', 'csv');
    for (const cell of ['"x\r=1+1"', '"x\n=1+1"', '"x\r\n=1+1"']) expect(out).toContain(cell);
  });

  it('logs user and references', async () => {
    const id = await stored.enquiry();
    const { words } = await run('export', '--format', 'csv');
    expect(JSON.parse(words)).toEqual({
      event: 'exported',
      at: expect.any(String),
      by: userInfo().username,
      count: 1,
      references: [id],
    });
    expect((await run('export', '--email', 'nobody@visitor.example')).words).toBe('');
  });

  it('neutralises formulas in CSV (CSV injection)', async () => {
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

describe('resume', () => {
  it('writes the bytes to standard output or to a new file', async () => {
    const bytes = randomBytes(200_000);
    const id = await stored.application(bytes);
    expect((await run('resume', id)).bytes.equals(bytes)).toBe(true);
    const path = join(folder.path, 'out.pdf');
    expect((await run('resume', id, '--out', path)).code).toBe(0);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect((await run('resume', id, '--out', path)).code).toBe(1);
  });

  it('fails, and leaves no new file > the stored file is damaged', async () => {
    const bytes = randomBytes(200_000);
    const id = await stored.application(bytes);
    await overwriteFile(stored, id, bytes.subarray(0, 199_999));
    const path = join(folder.path, 'damaged.pdf');
    for (const options of [[], ['--out', path]]) {
      const { code, words } = await run('resume', id, ...options);
      expect([code, words]).toEqual([1, expect.stringContaining('RESUMES_URL: damaged file')]);
    }
    expect(await readdir(folder.path)).not.toContain('damaged.pdf');
  });

  it('reports that an enquiry has no résumé', async () => {
    expect((await run('resume', await stored.enquiry())).code).toBe(3);
  });
});

describe('erase', () => {
  it('prints a sentence and no log lines > a file cannot be removed', async () => {
    const id = await stored.application();
    const { resume } = (await stored.submissions.find(id)) ?? {};
    const of = join(folder.path, 'resumes', dirname(resume?.key ?? ''));
    await rm(of, { recursive: true });
    await writeFile(of, 'not a folder');
    const printed = [jest.spyOn(process.stdout, 'write'), jest.spyOn(process.stderr, 'write')];
    const { code, words } = await run('erase', '--email', 'ada@visitor.example', '--yes');
    const lines = printed.map(({ mock }) => mock.calls.join(''));
    for (const spy of printed) spy.mockRestore();
    expect([code, lines]).toEqual([0, ['', '']]);
    expect(words).toContain(submissions.fileRemains({ references: id }));
    await rm(of);
  });

  const files = async () =>
    (await readdir(folder.path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

  it('removes all rows and files of a person; the proof has no personal data', async () => {
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

  it('leaves no erased text in the database’s files', async () => {
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

  it('erases a submission after its delivery > a delivery is in progress', async () => {
    const id = await stored.enquiry();
    const lease = await stored.submissions.acquire(id);
    const erasing = run('erase', '--email', 'ada@visitor.example', '--yes');
    const waited = await Promise.race([erasing, new Promise((resolve) => setTimeout(resolve, 1_000, 'waiting'))]);
    expect(waited).toBe('waiting');
    expect(lease && (await stored.submissions.endLease(lease, { state: 'delivered', attempts: 0 }))).toBe(true);
    expect((await erasing).code).toBe(0);
    expect(await stored.state(id)).toBeUndefined();
  });

  it('reports a delivery that does not end, and proves the other erasures', async () => {
    const lease = await stored.submissions.acquire(await stored.enquiry());
    const free = await stored.enquiry();
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now');
    const erasing = run('erase', '--email', 'ada@visitor.example', '--yes');
    await until('the other one erased', async () => (await stored.state(free)) === undefined);
    // Only the command's clock moves. The lease is on the database's clock.
    clock.mockImplementation(() => now() + LEASE_MS + MINUTE_MS);
    const { code, out } = await erasing;
    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject({ references: [free] });
    expect(await stored.state(lease?.submission.id ?? '')).toBe('pending');
  });

  it('--again erases restored submissions, and keeps those received later', async () => {
    const [old, kept] = [await stored.enquiry({}, { ageMs: DAY_MS }), await stored.enquiry()];
    const proofs = join(folder.path, 'erased.jsonl');
    const at = new Date(Date.now() - MINUTE_MS).toISOString();
    await writeFile(proofs, `${JSON.stringify({ event: 'erased', at, count: 2, references: [old, kept] })}\n`);
    expect(await run('erase', '--again', proofs)).toMatchObject({ code: 0, out: expect.stringContaining(old) });
    expect(await states(old, kept)).toEqual([undefined, 'pending']);
    expect(await run('erase', '--again', proofs)).toMatchObject({ code: 0, out: '' });

    const third = await stored.enquiry({}, { ageMs: DAY_MS });
    const line = JSON.stringify({ event: 'erased', at, count: 1, references: [third] });
    const streams = { stdout: new Collector(), stderr: new Collector(), environment: stored.environment };
    expect(await runCommand(['erase', '--again', '-'], { ...streams, stdin: Readable.from([line]) })).toBe(0);
    expect(await stored.state(third)).toBeUndefined();

    await writeFile(proofs, '{"event":"erased"}\n');
    expect((await run('erase', '--again', proofs)).code).toBe(2);
    expect((await run('erase', '--again', proofs, '--email', 'ada@visitor.example')).code).toBe(2);
    expect((await run('erase')).code).toBe(2);
  });
});

describe('erasures', () => {
  it('prints every erasure in the format of erase --again', async () => {
    const ids = [await stored.enquiry(), await stored.enquiry({ email: 'grace@visitor.example' })];
    // The inbox erases this way.
    await stored.submissions.erase([ids[0] ?? '']);
    expect((await run('erase', '--email', 'grace@visitor.example', '--yes')).code).toBe(0);
    const { code, out } = await run('erasures');
    const lines = out.trimEnd().split('\n');
    const proofs = lines.map((line) => JSON.parse(line) as { event: string; at: string; references: string[] });
    expect([code, proofs.map(({ event }) => event)]).toEqual([0, ['erased', 'erased']]);
    expect(proofs.flatMap(({ references }) => references)).toEqual(ids);
    expect(out).not.toMatch(/@/);

    const restored = await stored.enquiry({}, { ageMs: DAY_MS });
    await stored.database.run((db) => db.deleteFrom('erasures').execute());
    await stored.database.run((db) =>
      db
        .updateTable('submissions')
        .set({ id: ids[0] } as never)
        .where('id', '=', restored)
        .execute(),
    );
    const file = join(folder.path, 'erasures.jsonl');
    await writeFile(file, out);
    expect((await run('erase', '--again', file)).code).toBe(0);
    expect(await stored.state(ids[0] ?? '')).toBeUndefined();
    expect((await run('erasures')).out).toBe(out);
  });

  it('reports the rest of an incomplete erasure, and the user', async () => {
    const id = await stored.application();
    const failure = Object.assign(new Error('input/output error'), { code: 'EIO' });
    const remove = jest.spyOn(FolderStore.prototype, 'delete').mockRejectedValue(failure);
    const { code, out, words } = await run('erase', '--email', 'ada@visitor.example', '--yes');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ by: userInfo().username, references: [id] });
    expect(words).toContain(submissions.fileRemains({ references: id }));
    expect((await new ErasuresRepository(stored.database).backlog()).count).toBe(1);
    remove.mockRestore();
  });
});

describe('submissions', () => {
  it('explains commands and exit codes > --help', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    const commands = ['list', 'show', 'resend', 'release', 'export', 'erase', 'resume', 'backup', 'restore'];
    for (const name of [...commands, 'Exit codes']) expect(out).toContain(name);
  });

  it('names a wrong variable, or an unusable database', async () => {
    expect(await run('list', { DATABASE_URL: 'mysql://database' })).toMatchObject({
      code: 1,
      words: expect.stringContaining('DATABASE_URL'),
    });
    await writeFile(join(folder.path, 'text.db'), 'This is no database.'.repeat(100));
    const words = 'Error: DATABASE_URL: SQLITE_NOTADB\n';
    expect(await run('list', { DATABASE_URL: `file:${folder.path}/text.db` })).toMatchObject({ code: 1, words });
  });
});
