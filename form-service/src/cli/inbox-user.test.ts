import { Readable, Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { parseUsers, ROLES } from '../config/inbox-users.ts';
import { findUser } from '../inbox/sign-in/password.ts';
import { runCommand } from './program.ts';

async function run(typed: string, ...args: string[]) {
  const written = { out: '', words: '' };
  const keep = (name: keyof typeof written) =>
    new Writable({ write: (chunk, _encoding, done) => ((written[name] += String(chunk)), done()) });
  const resources = { stdin: Readable.from([typed]), stdout: keep('out'), stderr: keep('words'), environment: {} };
  return { code: await runCommand(['inbox-user', ...args], resources), ...written };
}

describe('inbox-user', () => {
  it('prints a line that accepts this password only', async () => {
    const { code, out, words } = await run('correct horse ü battery\n', 'hana.lee', '--role', 'hr');
    expect(code).toBe(0);
    const users = parseUsers(out) ?? [];
    expect(users).toMatchObject([{ name: 'hana.lee', role: 'hr' }]);
    expect((await findUser(users, 'hana.lee', 'correct horse ü battery'))?.role).toBe('hr');
    expect(await findUser(users, 'hana.lee', 'correct horse u battery')).toBeUndefined();
    expect(await findUser(users, 'hana', 'correct horse ü battery')).toBeUndefined();
    expect(out + words).not.toContain('horse');
  });

  it('prints a line that accepts both Unicode forms of the password', async () => {
    const password = 'correct horse ü battery';
    const users = parseUsers((await run(`${password.normalize('NFD')}\n`, 'hana', '--role', 'hr')).out) ?? [];
    for (const form of ['NFC', 'NFD'])
      expect((await findUser(users, 'hana', password.normalize(form)))?.name).toBe('hana');
  });

  it('prints a line that is rejected > it occurs twice', async () => {
    const { out } = await run('correct horse battery\n', 'sam', '--role', 'sales');
    expect(parseUsers(out)).toHaveLength(1);
    expect(parseUsers(`${out} ${out.replace('sam', 'ada')}`)).toHaveLength(2);
    expect(parseUsers(out + out)).toBeUndefined();
  });

  it('refuses the end of the input in place of a password', async () => {
    const { code, out, words } = await run('', 'hana', '--role', 'hr');
    expect([code, out]).toEqual([2, '']);
    expect(words).toContain('The password has fewer than 12 characters. Choose a longer one.');
  });

  it('prints a line that needs no quotes in an environment file', async () => {
    const { out } = await run('correct horse battery\n', 'sam', '--role', 'sales');
    expect(out.trim()).toMatch(/^[\w.:-]+$/);
  });

  it.each([...ROLES])('prints a line that the settings accept > role %s', async (role) => {
    const { out } = await run('correct horse battery\n', 'sam', '--role', role);
    expect(parseUsers(out)).toMatchObject([{ name: 'sam', role }]);
  });

  it('rejects a short password, a wrong name and an unknown role', async () => {
    expect(await run('short\n', 'sam', '--role', 'sales')).toMatchObject({ code: 2, out: '' });
    expect(await run('correct horse battery\n', 'sam:hr', '--role', 'sales')).toMatchObject({ code: 2, out: '' });
    expect(await run('correct horse battery\n', 'sam', '--role', 'boss')).toMatchObject({ code: 2, out: '' });
  });
});
