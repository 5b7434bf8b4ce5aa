import { Readable, Writable } from 'node:stream';
import { scryptSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseUsers, ROLES } from '../settings/inbox-users.ts';
import { findUser } from '../sign-in/password.ts';
import { runCommand } from './program.ts';

async function run(typed: string, ...args: string[]) {
  const written = { out: '', words: '' };
  const keep = (name: keyof typeof written) =>
    new Writable({ write: (chunk, _encoding, done) => ((written[name] += String(chunk)), done()) });
  const resources = {
    stdin: Readable.from([typed]),
    stdout: keep('out'),
    stderr: keep('words'),
    environment: {},
  };
  return { code: await runCommand(['inbox-user', ...args], resources), ...written };
}

const GOOD = 'correct horse ü battery';

describe('inbox-user', () => {
  let printed: Awaited<ReturnType<typeof run>>;

  beforeAll(async () => {
    printed = await run(`${GOOD}\n`, 'hana.lee', '--role', 'hr');
  });

  it('prints a line that accepts this password only, in both Unicode forms', async () => {
    const { code, out, words } = printed;
    expect(code).toBe(0);
    const users = parseUsers(out) ?? [];
    expect(users).toMatchObject([{ name: 'hana.lee', role: 'hr' }]);
    for (const form of ['NFC', 'NFD'])
      expect((await findUser(users, 'hana.lee', GOOD.normalize(form)))?.role).toBe('hr');
    expect(await findUser(users, 'hana.lee', 'correct horse u battery')).toBeUndefined();
    expect(await findUser(users, 'hana', GOOD)).toBeUndefined();
    expect(out + words).not.toContain('horse');
  });

  it('prints a line that is rejected > it occurs twice', () => {
    const { out } = printed;
    expect(parseUsers(`${out} ${out.replace('hana', 'ada')}`)).toHaveLength(2);
    expect(parseUsers(out + out)).toBeUndefined();
  });

  it('refuses the end of the input in place of a password', async () => {
    const { code, out, words } = await run('', 'hana', '--role', 'hr');
    expect([code, out]).toEqual([2, '']);
    expect(words).toContain('The password has fewer than 12 characters.');
  });

  it('prints a line that needs no quotes in an environment file', () => {
    expect(printed.out.trim()).toMatch(/^[\w.:-]+$/);
  });

  it('prints a line with the cost that OWASP asks for', () => {
    expect(printed.out).toContain(':scrypt.17.1.');
  });

  it.each([...ROLES, 'sap@firm.net'])('prints a line that the settings accept > role %s', (role) => {
    expect(parseUsers(printed.out.replace(':hr:', `:${role}:`))).toMatchObject([{ name: 'hana.lee', role }]);
  });

  it('rejects a short password, a wrong name and an unknown role', async () => {
    expect(await run('short\n', 'sam', '--role', 'sales')).toMatchObject({ code: 2, out: '' });
    expect(await run(`${GOOD}\n`, 'sam:hr', '--role', 'sales')).toMatchObject({ code: 2, out: '' });
    expect(await run(`${GOOD}\n`, 'sam', '--role', 'boss')).toMatchObject({ code: 2, out: '' });
  });

  it.each(['hana.lee at work', 'the best of HANA'])(
    "rejects a password with the user's name > %j",
    async (password) => {
      const { code, out, words } = await run(`${password}\n`, 'hana.lee', '--role', 'sales');
      expect([code, out, words]).toEqual([2, '', expect.stringContaining('The password contains "hana".')]);
    },
  );
});

describe('findUser', () => {
  it.each(['scrypt.10.1', 'scrypt.10.3'])('accepts the password of a line > %s', async (cost) => {
    const [, log2, p = '1'] = cost.split('.');
    const salt = Buffer.alloc(16, 7);
    const key = scryptSync('a password', salt, 32, { N: 2 ** Number(log2), r: 8, p: Number(p) });
    const users = parseUsers(`sam:all:${cost}.${salt.toString('base64url')}.${key.toString('base64url')}`) ?? [];
    expect((await findUser(users, 'sam', 'a password'))?.name).toBe('sam');
    expect(await findUser(users, 'sam', 'another one')).toBeUndefined();
  });

  it('accepts no line whose cost this machine cannot bear', () => {
    expect(parseUsers(`sam:all:scrypt.18.1.${'A'.repeat(22)}.${'A'.repeat(43)}`)).toBeUndefined();
  });
});
