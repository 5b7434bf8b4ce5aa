import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { acceptApplication, contactSubmission } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openStore } from '../storage/open-store.ts';
import type { SubmissionStore } from '../storage/submission-store.ts';
import type { ContactSubmission, SubmissionState } from '../storage/submission.ts';
import { runCommand } from './program.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: SubmissionStore;
let environment: Record<string, string>;

beforeEach(async () => {
  folder = await temporaryFolder();
  // Nothing listens on port 1: the commands work without Redis.
  environment = { STORAGE_URL: `file:${folder.path}`, INSTANCE: 'test', REDIS_URL: 'redis://127.0.0.1:1' };
  store = await openStore({ STORAGE_URL: `file:${folder.path}`, INSTANCE: 'test' });
});

afterEach(async () => {
  await store.close();
  await folder.remove();
});

/** Keeps what is written to it. */
class Kept extends Writable {
  private readonly chunks: Buffer[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }
}

async function run(...args: string[]) {
  const [stdout, stderr] = [new Kept(), new Kept()];
  const code = await runCommand(args, { stdout, stderr, environment });
  return { code, out: stdout.bytes.toString(), bytes: stdout.bytes, words: stderr.bytes.toString() };
}

async function stored(state: SubmissionState, fields: Partial<ContactSubmission['fields']> = {}, rest: Partial<ContactSubmission> = {}): Promise<string> {
  const submission = contactSubmission(fields, rest);
  await store.accept(submission, 'pending');
  if (state !== 'pending') await store.update(submission, 'pending', state);
  return submission.id;
}

const stateOf = async (id: string) => (await store.find(id))?.state;

describe('list', () => {
  it('shows what is not delivered, without a visitor’s data', async () => {
    const failed = await stored('failed', {}, { delivery: { attempts: 3, lastError: 'SMTP 550' } });
    const delivered = await stored('delivered');
    const { code, out } = await run('list');
    expect(code).toBe(0);
    expect(out).toMatch(/^REFERENCE +FORM +STATE/);
    expect(out).toMatch(new RegExp(`${failed} +contact +failed +\\d+s +3 +SMTP 550`));
    expect(out).not.toContain(delivered);
    expect(out).not.toMatch(/Ada|visitor\.example/);
  });

  it('chooses by state and age, and speaks JSON', async () => {
    const old = await stored('failed', {}, { receivedAt: new Date(Date.now() - 7_200_000).toISOString() });
    await stored('failed');
    await stored('pending');
    const { out } = await run('list', '--state', 'failed', '--older-than', '1h', '--json');
    expect(JSON.parse(out)).toMatchObject([{ reference: old, state: 'failed' }]);
  });

  it.each([['--older-than soon'], ['--state lost'], ['--colour']])('refuses %s', async (options) => {
    expect((await run('list', ...options.split(' '))).code).toBe(2);
  });
});

describe('show', () => {
  it('shows what the visitor sent and keeps the terminal safe', async () => {
    const id = await stored('pending', { message: 'Two lines:\nhere\u001b[2Jand \u202Ethere' });
    const { out } = await run('show', id.toLowerCase());
    expect(out).toContain('ada@visitor.example');
    expect(out).toContain('here\uFFFD[2Jand \uFFFDthere');
  });

  it('says so when there is no such submission', async () => {
    expect(await run('show', 'KW-0000-0000-0000-0000')).toMatchObject({ code: 3, words: expect.stringContaining('No submission has the reference') });
    expect((await run('show', '../../etc/passwd')).code).toBe(3);
  });
});

describe('resend and release', () => {
  it('make a failed submission pending with its attempts counted anew', async () => {
    const id = await stored('failed', {}, { delivery: { attempts: 9, firstAttemptAt: '2026-01-01T00:00:00.000Z', failedAt: '2026-01-02T00:00:00.000Z' } });
    expect((await run('resend', id)).code).toBe(0);
    const found = await store.find(id);
    expect(found).toMatchObject({ state: 'pending', submission: { delivery: { attempts: 0, requeuedAt: expect.any(String) } } });
    expect(found?.submission.delivery).not.toHaveProperty('firstAttemptAt');
    expect(found?.submission.delivery).not.toHaveProperty('failedAt');
  });

  it('make all failed ones pending and leave the others', async () => {
    const failed = [await stored('failed'), await stored('failed')];
    const quarantined = await stored('quarantined');
    expect(await run('resend', '--all-failed')).toMatchObject({ code: 0, out: '2 submissions will be sent again.\n' });
    expect(await Promise.all([...failed, quarantined].map(stateOf))).toEqual(['pending', 'pending', 'quarantined']);
  });

  it('release only what was set aside, and remember it', async () => {
    const id = await stored('quarantined');
    expect((await run('release', id)).code).toBe(0);
    expect((await store.find(id))?.submission.delivery.releasedAt).toEqual(expect.any(String));
    expect((await run('release', id)).code).toBe(4);
    expect((await run('resend', await stored('delivered'))).code).toBe(4);
  });

  it('want one reference or all', async () => {
    expect((await run('resend')).code).toBe(2);
    expect((await run('resend', await stored('failed'), '--all-failed')).code).toBe(2);
  });
});

describe('export', () => {
  it('writes JSON', async () => {
    expect(JSON.parse((await run('export')).out)).toEqual([]);
    const ids = [await stored('pending'), await stored('delivered')];
    const all = JSON.parse((await run('export', '--format', 'json')).out) as { id: string }[];
    expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(JSON.parse((await run('export', '--email', 'someone@else.example')).out)).toEqual([]);
  });

  it('writes CSV that no spreadsheet runs', async () => {
    await stored('pending', { name: '=HYPERLINK("http://evil.example")', phone: '+44 20 7946 0000', message: 'a "quoted",\nlong one' });
    const { out } = await run('export', '--format', 'csv');
    expect(out).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(out).toContain(`'+44 20 7946 0000`);
    expect(out).toContain('"a ""quoted"",\nlong one"');
  });
});

describe('resume', () => {
  it('gives back the bytes, on standard output or in a new file', async () => {
    const bytes = randomBytes(200_000);
    const { id } = await acceptApplication(store, bytes);
    expect((await run('resume', id)).bytes.equals(bytes)).toBe(true);
    const path = join(folder.path, 'out.pdf');
    expect((await run('resume', id, '--out', path)).code).toBe(0);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    expect((await run('resume', id, '--out', path)).code).toBe(1);
  });

  it('has nothing for an enquiry', async () => {
    expect((await run('resume', await stored('pending'))).code).toBe(3);
  });
});

describe('erase', () => {
  it('erases record and file of one person in every state, and proves it without personal data', async () => {
    const { id } = await acceptApplication(store, randomBytes(1_000));
    const mine = [id, await stored('delivered'), await stored('failed', { email: 'ADA@Visitor.example' })];
    const other = await stored('failed', { email: 'grace@visitor.example' });
    expect(await run('erase', '--email', 'ada@visitor.example')).toMatchObject({ code: 2, words: expect.stringContaining('Add --yes') });
    expect(await stateOf(id)).toBe('pending');

    const { code, out } = await run('erase', '--email', 'Ada@visitor.EXAMPLE', '--yes');
    expect(code).toBe(0);
    expect(await Promise.all(mine.map(stateOf))).toEqual([undefined, undefined, undefined]);
    await expect(store.openResume(id)).rejects.toThrow();
    expect(await stateOf(other)).toBe('failed');
    const proof = JSON.parse(out) as { references: string[]; count: number };
    expect(proof).toMatchObject({ count: 3 });
    expect(proof.references.toSorted()).toEqual(mine.toSorted());
    expect(await readFile(join(folder.path, 'erasures.log'), 'utf8')).toBe(out);
    expect(out).not.toMatch(/ada/i);
    expect((await run('erase', '--email', 'ada@visitor.example', '--yes')).code).toBe(3);
  });
});

describe('the program', () => {
  it('explains itself and its exit codes', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    for (const name of ['list', 'show', 'resend', 'release', 'export', 'erase', 'resume', 'Exit codes']) expect(out).toContain(name);
  });

  it('names a variable that is wrong', async () => {
    environment['INSTANCE'] = 'no good name';
    expect(await run('list')).toMatchObject({ code: 1, words: expect.stringContaining('INSTANCE') });
  });
});
