import { randomBytes } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { run as runCommand } from '../../test/run-command.ts';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { UNDELIVERED_RETENTION_DAYS } from '../submissions/submission.ts';

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
const STATES = ['delivered', 'quarantined', 'failed', 'failed'] as const;
const NOTHING = { code: 0, words: 'There is nothing to erase.\n' };
const ADA = ['--email', 'ada@visitor.example'];

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

/** Runs a command. @param options variables, standard input and rows that a statement takes, if not the default */
async function run(args: string, options: { env?: Record<string, string>; input?: string; pageRows?: number } = {}) {
  const { env = {}, input = '', pageRows } = options;
  const all = args
    .split(' ')
    .filter(Boolean)
    .map((one) => one.replaceAll('"', ''));
  const result = await runCommand({ ...stored.environment, ...env }, all, Readable.from([input]), {
    ...(pageRows && { pageRows }),
  });
  return { ...result, out: result.out.toString(), bytes: result.out };
}

const states = (...ids: string[]) => Promise.all(ids.map((id) => stored.state(id)));
const auditIn = (lines: string) =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string; by: string; count: number; references: string[] });

describe('submissions', () => {
  it.each([
    'orphans',
    'list --state lost',
    'export --form parner',
    'export --email nobody',
    'restore archive.tar',
    'erase',
    'erase KW-0000-0000-0000-0000 --email a@b',
    'resend',
    'resend --again',
    'resend --all-failed --again',
    'resend KW-0000-0000-0000-0000 --all-failed',
    // A script passes an empty reference.
    'resend ""',
    'resend "" --again',
    'resend "" --all-failed',
  ])('refuses an unknown or ambiguous command line and does nothing > %s', async (args) => {
    const failed = await stored.enquiry({}, { state: 'failed' });
    const { code, out, words } = await run(args);
    expect([code, out, await stored.state(failed)]).toEqual([2, '', 'failed']);
    expect(words).not.toBe('');
  });

  it('names a wrong variable, or an unusable database', async () => {
    const wrong = await run('list', { env: { DATABASE_URL: 'mysql://database' } });
    expect(wrong).toMatchObject({ code: 1, words: expect.stringContaining('DATABASE_URL') });
    await writeFile(join(folder.path, 'text.db'), 'This is no database.'.repeat(100));
    const text = await run('list', { env: { DATABASE_URL: `file:${folder.path}/text.db` } });
    expect(text).toMatchObject({ code: 1, words: 'Error: DATABASE_URL: SQLITE_NOTADB\n' });
  });
});

describe('list', () => {
  it('shows undelivered submissions without visitor data, and when they are deleted', async () => {
    const failed = await stored.enquiry({}, { state: 'failed', attempts: 3, error: 'SMTP 550' });
    const delivered = await stored.enquiry({}, { state: 'delivered' });
    const ageMs = (UNDELIVERED_RETENTION_DAYS - 3) * DAY_MS + MINUTE_MS;
    const [old, pending] = [
      await stored.enquiry({}, { state: 'quarantined', ageMs }),
      await stored.enquiry({}, { ageMs }),
    ];
    const [TIME, DAY] = ['\\d{4}-\\d\\d-\\d\\dT[\\d:]{8}', '\\d{4}-\\d\\d-\\d\\d'];
    const deleted = new Date(Date.now() + 3 * DAY_MS - MINUTE_MS).toISOString().slice(0, 10);
    const { code, out } = await run('list');
    expect(code).toBe(0);
    expect(out).toMatch(/^REFERENCE +FORM +STATE/);
    expect(out).toMatch(new RegExp(`${failed} +contact +failed +${TIME} +3 +${DAY} +SMTP 550`));
    expect(out).toMatch(new RegExp(`${old} .* ${deleted} +links`));
    expect(out).toMatch(new RegExp(`${pending} +contact +pending +${TIME} +0$`, 'm'));
    expect(out).not.toMatch(new RegExp(`Ada|visitor\\.example|${delivered}`));
    expect((await run('list --state failed')).out.match(/KW-[\w-]+/g)).toEqual([failed]);
  });
});

describe('show', () => {
  it('prints visitor data without control characters', async () => {
    const id = await stored.enquiry({ message: 'Two lines:\nhere\u001b[2Jand \u202Ethere' });
    const { out } = await run(`show ${id.toLowerCase()}`);
    expect(out).toContain('ada@visitor.example');
    expect(out).toContain('here\uFFFD[2Jand \uFFFDthere');
  });

  it('prints reasons, history and notifications', async () => {
    const reasons = ['many links', 'virus scan: Eicar'] as const;
    const id = await stored.application(undefined, { quarantined: true, reasons });
    expect((await run(`show ${id}`)).out).toMatch(/^reasons +many links, virus scan: Eicar$/m);
    await run(`release ${id}`, { env: { SUBMISSION_WEBHOOK_URL: 'https://crm.example/' } });
    const lease = await stored.submissions.acquire(id);
    if (!lease) throw new Error('not leased');
    await stored.submissions.endLease(lease, { state: 'delivered', attempts: 1, event: { reply: '250 queued' } });
    const { out } = await run(`show ${id}`);
    const history = [...out.matchAll(/^history +\S+Z (.*)$/gm)].map(([, words]) => words);
    expect(history).toEqual([expect.stringMatching(/^released \S/), 'delivered 250 queued']);
    expect(out).toMatch(/^notification +\S+Z webhook pending, attempts: 0$/m);
  });

  it.each(['KW-0000-0000-0000-0000', '../../etc/passwd'])('reports an unknown reference > %s', async (reference) => {
    const words = expect.stringContaining(`There is no submission ${reference}`);
    expect(await run(`show ${reference}`)).toMatchObject({ code: 3, words });
  });

  it('writes the bytes of a file > --file', async () => {
    const bytes = randomBytes(200_000);
    expect((await run(`show ${await stored.application(bytes)} --file`)).bytes.equals(bytes)).toBe(true);
    expect((await run(`show ${await stored.enquiry()} --file`)).code).toBe(3);
  });
});

describe('resend and release', () => {
  it('report a submission in another state, and make the others pending', async () => {
    const [failed, quarantined, delivered] = [
      await stored.enquiry({}, { state: 'failed', attempts: 9 }),
      await stored.enquiry({}, { state: 'quarantined' }),
      await stored.enquiry({}, { state: 'delivered' }),
    ];
    for (const args of [`resend ${quarantined}`, `resend ${delivered}`, `release ${failed}`])
      expect([args, (await run(args)).code]).toEqual([args, 4]);
    for (const args of [`resend ${failed}`, `release ${quarantined}`, `resend --again ${delivered}`])
      expect([args, (await run(args)).code]).toEqual([args, 0]);
    expect(await states(failed, quarantined, delivered)).toEqual(['pending', 'pending', 'pending']);
  });

  it('resend selects all that failed > --all-failed', async () => {
    const ids = await Promise.all(STATES.map((state) => stored.enquiry({}, { state })));
    expect((await run('resend --all-failed')).out).toBe('Submissions that will be sent again: 2.\n');
    expect(await states(...ids)).toEqual(['delivered', 'quarantined', 'pending', 'pending']);
  });

  it('resend posts failed webhook posts again, and says so', async () => {
    const id = await stored.enquiry({}, { state: 'delivered', notifications: ['webhook'] });
    const giveUp = () =>
      stored.database.run((db) => db.updateTable('notifications').set({ state: 'failed' }).execute());
    await giveUp();
    expect((await run(`resend ${id}`)).out).toBe(`${id} will be posted to the webhook again.\n`);
    expect((await run(`resend ${id}`)).code).toBe(4);
    await giveUp();
    expect((await run('resend --all-failed')).words).toContain('will be posted to the webhook again: 1.');
    expect(await stored.state(id)).toBe('delivered');
  });
});

describe('export', () => {
  it('selects by person, form and state, and logs user and references of each page', async () => {
    const enquiries = [await stored.enquiry(), await stored.enquiry(), await stored.enquiry()].toSorted();
    const [delivered, application] = [await stored.enquiry({}, { state: 'delivered' }), await stored.application()];
    await stored.enquiry({ email: 'grace@visitor.example' });
    const idsOf = async (args: string) =>
      [...(await run(`export ${args}`)).out.matchAll(/^KW-[\w-]+/gm)].map(([id]) => id).toSorted();
    expect(await idsOf('')).toHaveLength(6);
    expect(await idsOf('--email ada@visitor.example --state delivered')).toEqual([delivered]);
    expect(await idsOf('--form application --email ada@visitor.example')).toEqual([application]);
    const selection = 'export --email ADA@visitor.example --form contact --state pending';
    const audit = auditIn((await run(selection, { pageRows: 2 })).words);
    expect(audit).toMatchObject([2, 1].map((count) => ({ event: 'exported', by: userInfo().username, count })));
    expect(audit.flatMap(({ references }) => references).toSorted()).toEqual(enquiries);
    expect((await run('export --email nobody@visitor.example')).words).toBe('');
  });
});

describe('erase', () => {
  const files = async () =>
    (await readdir(folder.path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

  it('removes all rows and files of a person; the audit log has no personal data', async () => {
    const [application, delivered] = [await stored.application(), await stored.enquiry({}, { state: 'delivered' })];
    const mine = [application, delivered, await stored.enquiry({ email: 'ADA@Visitor.example' }, { state: 'failed' })];
    const other = await stored.enquiry({ email: 'grace@visitor.example' }, { state: 'failed' });
    const asked = await run(`erase ${ADA.join(' ')}`);
    expect(asked).toMatchObject({ code: 2, words: expect.stringContaining('Add --yes') });
    expect(await stored.state(application)).toBe('pending');

    const { code, out } = await run('erase --yes --email Ada@visitor.EXAMPLE', { pageRows: 2 });
    expect([code, await states(...mine, other)]).toEqual([0, [undefined, undefined, undefined, 'failed']]);
    expect((await files()).filter(({ name }) => name.startsWith('KW-'))).toEqual([]);
    expect(auditIn(out)).toMatchObject([2, 1].map((count) => ({ event: 'erased', by: userInfo().username, count })));
    const references = auditIn(out).flatMap(({ references }) => references);
    expect([references.toSorted(), await stored.erasedIds()]).toEqual([mine.toSorted(), mine.toSorted()]);
    expect(out).not.toMatch(/ada/i);
    expect(await run(`erase ${ADA.join(' ')} --yes`)).toMatchObject(NOTHING);
  });

  it('reports what is being delivered, and erases and logs the others', async () => {
    const lease = await stored.submissions.acquire(await stored.enquiry());
    const [held, free] = [lease?.submission.id ?? '', await stored.enquiry()];
    const { code, out, words } = await run(`erase ${ADA.join(' ')} --yes`);
    expect([code, auditIn(out)]).toMatchObject([5, [{ references: [free] }]]);
    expect(words).toContain(`Still being delivered: ${held}.`);
    expect(await states(held, free)).toEqual(['pending', undefined]);
  });

  it('erases the references of a log, also those that there are no more', async () => {
    const [erased, kept] = [await stored.enquiry(), await stored.enquiry()];
    expect((await run(`erase KW-0000-0000-0000-0000 ${erased} --yes`)).code).toBe(0);
    expect(await states(erased, kept)).toEqual([undefined, 'pending']);
    expect(await run(`erase ${erased} --yes`)).toMatchObject(NOTHING);
  });

  it('--orphans erases old files without a submission, and no others', async () => {
    const [orphan, , young] = [await stored.application(), await stored.application(), await stored.application()];
    for (const { name, parentPath } of await files())
      if (name.startsWith('KW-') && !name.startsWith(young)) await utimes(join(parentPath, name), 1, 1);
    const gone = [orphan, young];
    await stored.database.run((db) => db.deleteFrom('submissions').where('id', 'in', gone).execute());
    expect(await run('erase --orphans')).toMatchObject({ code: 2, words: expect.stringContaining(orphan) });
    expect((await run('erase --orphans --yes')).out).toBe('Files that were erased: 1.\n');
    const left = (await files()).filter(({ name }) => name.startsWith('KW-'));
    expect([left.length, left.some(({ name }) => name.startsWith(orphan))]).toEqual([2, false]);
    expect(await run('erase --orphans --yes')).toMatchObject(NOTHING);
  });
});
