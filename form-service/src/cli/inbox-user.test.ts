import { beforeAll, describe, expect, it } from '@jest/globals';
import { run as runCommand } from '../../test/run-command.ts';
import { parseUsers, ROLES } from '../settings/inbox-users.ts';
import { findUser } from '../sign-in/password.ts';

async function run(typed: string, name: string, role: string) {
  const { out, ...result } = await runCommand({}, ['inbox-user', name, '--role', role], [Buffer.from(typed)]);
  return { ...result, out: out.toString() };
}

const GOOD = 'correct horse ü battery';

describe('inbox-user', () => {
  // A hash takes 0.35 s of CPU.
  let printed: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    printed = await run(`${GOOD}\n`, 'hana.lee', 'hr');
  });

  it('prints a line for this password, with the cost that OWASP asks for and without quotes', async () => {
    const { code, out, words } = printed;
    expect([code, out.trim()]).toEqual([0, expect.stringMatching(/^hana\.lee:hr:scrypt\.17\.1\.[\w.-]+$/)]);
    expect(await findUser(parseUsers(out) ?? [], 'hana.lee', GOOD)).toMatchObject({ role: 'hr' });
    expect(out + words).not.toContain('horse');
  });

  it.each([...ROLES, 'sap@firm.net'])('prints a line that the settings accept > role %s', (role) => {
    expect(parseUsers(printed.out.replace(':hr:', `:${role}:`))).toMatchObject([{ name: 'hana.lee', role }]);
  });

  it.each([
    ['the end of the input in place of a password', '', 'hana', 'hr', 'The password has fewer than 12 characters.'],
    ['a short password', 'short\n', 'sam', 'sales', 'The password has fewer than 12 characters.'],
    ['a wrong name', `${GOOD}\n`, 'sam:hr', 'sales', 'The name or role is not allowed.'],
    ['an unknown role', `${GOOD}\n`, 'sam', 'boss', 'The name or role is not allowed.'],
    ['a password with a part of the name', 'hana.lee at work\n', 'hana.lee', 'sales', 'contains "hana".'],
    ['that in another case', 'the best of HANA\n', 'hana.lee', 'sales', 'The password contains "hana".'],
  ])('refuses %s', async (_what, typed, name, role, sentence) => {
    const { code, out, words } = await run(typed, name, role);
    expect([code, out, words]).toEqual([2, '', expect.stringContaining(sentence)]);
  });
});

it('parseUsers > accepts no line whose cost this machine cannot bear', () => {
  expect(parseUsers(`sam:all:scrypt.18.1.${'A'.repeat(22)}.${'A'.repeat(43)}`)).toBeUndefined();
});
