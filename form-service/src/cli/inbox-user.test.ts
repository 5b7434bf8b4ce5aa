import { Readable, Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { findUser, parseUsers } from '../config/inbox-users.ts';
import { runCommand } from './program.ts';

async function run(typed: string, ...args: string[]) {
  const written = { out: '', words: '' };
  const keep = (name: keyof typeof written) =>
    new Writable({ write: (chunk, _encoding, done) => ((written[name] += String(chunk)), done()) });
  const resources = { stdin: Readable.from([typed]), stdout: keep('out'), stderr: keep('words'), environment: {} };
  return { code: await runCommand(['inbox-user', ...args], resources), ...written };
}

describe('The command inbox-user', () => {
  it('The line that it prints lets this person in with this password, and with no other', async () => {
    const { code, out, words } = await run('correct horse ü battery\n', 'hana.lee', '--role', 'hr');
    expect(code).toBe(0);
    const users = parseUsers(out) ?? [];
    expect(users).toMatchObject([{ name: 'hana.lee', role: 'hr' }]);
    expect((await findUser(users, 'hana.lee', 'correct horse ü battery'))?.role).toBe('hr');
    expect(await findUser(users, 'hana.lee', 'correct horse u battery')).toBeUndefined();
    expect(await findUser(users, 'hana', 'correct horse ü battery')).toBeUndefined();
    expect(out + words).not.toContain('horse');
  });

  it('The line holds nothing that an environment file would have to quote', async () => {
    const { out } = await run('correct horse battery\n', 'sam', '--role', 'sales');
    expect(out.trim()).toMatch(/^[\w.:-]+$/);
  });

  it('A short password, a strange name and an unknown role are refused', async () => {
    expect(await run('short\n', 'sam', '--role', 'sales')).toMatchObject({ code: 2, out: '' });
    expect(await run('correct horse battery\n', 'sam:hr', '--role', 'sales')).toMatchObject({ code: 2, out: '' });
    expect(await run('correct horse battery\n', 'sam', '--role', 'boss')).toMatchObject({ code: 2, out: '' });
  });
});
