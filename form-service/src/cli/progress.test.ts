import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { runCommand } from './program.ts';

const CLEAR_LINE = '\r\u001B[K';
const EMAIL = 'ada@visitor.example';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stored: StoredSubmissions;
let archive: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  stored = await StoredSubmissions.open(folder.path);
  for (let count = 0; count < 3; count++) await stored.enquiry({ email: EMAIL });
  archive = join(folder.path, 'archive.tar');
  await run(['backup', '--out', archive]);
});

afterAll(async () => {
  await stored.database.close();
  await folder.remove();
});

/** Runs a command. @param isTTY whether messages, and with `both` results too, go to a terminal */
async function run(args: readonly string[], isTTY: boolean | 'both' = false, own: Record<string, string> = {}) {
  let [screen, results] = ['', ''];
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      results += chunk;
      if (isTTY === 'both') screen += chunk;
      done();
    },
  });
  const stderr = new Writable({ write: (chunk, _encoding, done) => ((screen += chunk), done()) });
  Object.assign(stdout, { isTTY: isTTY === 'both' });
  Object.assign(stderr, { isTTY: isTTY !== false });
  const environment = { ...stored.environment, ...own };
  const code = await runCommand(args, { stdout, stderr, environment });
  return { code, screen, results };
}

/** Returns the lines that stay on the screen: a control sequence clears what precedes it in its line. */
const linesOn = (screen: string) => screen.split('\n').map((line) => line.split(CLEAR_LINE).at(-1) ?? '');

const TRIAL = { NODE_ENV: 'development', SMTP_URL: 'smtp://127.0.0.1:1' };

/** Long commands with their progress. The last one erases. */
const COMMANDS = [
  { name: 'backup', args: () => ['backup'], progress: /1 submissions, 0 files/, own: () => ({}) },
  {
    name: 'restore',
    args: () => ['restore', '--in', archive, '--replace'],
    progress: /Checking the archive/,
    own: () => ({ DATABASE_URL: `file:${join(folder.path, 'restored/submissions.db')}` }),
  },
  { name: 'export', args: () => ['export'], progress: /1 submissions/, own: () => ({}) },
  { name: 'doctor', args: () => ['doctor'], progress: /Check 1 of \d+/, own: () => TRIAL },
  {
    name: 'erase',
    args: () => ['erase', '--email', EMAIL, '--yes'],
    progress: /0 of 3 submissions erased.*Removing files/s,
    own: () => ({}),
  },
];

describe('progress', () => {
  it.each(COMMANDS.slice(0, -1))('of $name is not shown > the messages are redirected', async ({ args, own }) => {
    expect((await run(args(), false, own())).screen).not.toContain(CLEAR_LINE);
  });

  it('of doctor does not mix with its lines > both streams are the terminal', async () => {
    const { screen, results } = await run(['doctor'], 'both', TRIAL);
    expect(screen).toContain(CLEAR_LINE);
    expect(linesOn(screen).filter((line) => /^(ok|note|FIX) /.test(line))).toEqual(results.trimEnd().split('\n'));
  });

  it('of export is that of its rows > they are written to the terminal', async () => {
    expect((await run(['export', '--format', 'csv'], 'both')).screen).not.toMatch(/\d submissions/);
  });

  it.each(COMMANDS)('of $name is shown and cleared > on a terminal', async ({ args, progress, own }) => {
    const { screen, results } = await run(args(), true, own());
    expect(screen).toMatch(progress);
    expect(linesOn(screen).filter((line) => progress.test(line))).toEqual([]);
    expect(results).not.toContain(CLEAR_LINE);
  });
});
