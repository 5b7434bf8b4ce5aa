import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { isMailbox, parseUsers, ROLES } from '../settings/inbox-users.ts';
import { hashPassword } from '../sign-in/password.ts';
import type { Context, Register } from './storage.ts';
import { EXIT, OperatorError } from './terminal.ts';

/** Minimum length of a password. Shorter ones can be guessed despite the rate limit. */
const PASSWORD_MIN_CHARS = 12;

/** Parts of a name with fewer letters occur in passwords by chance. */
const PART_MIN_CHARS = 4;

/** A hash of no password. Name and role are checked with it before the password is asked for. */
const ANY_HASH = `scrypt.10.1.${'A'.repeat(22)}.${'A'.repeat(43)}`;

export const registerInboxUser: Register = (program, context) =>
  program
    .command('inbox-user <name>')
    .description('ask for a password and print the line of a user of the inbox')
    .requiredOption(
      '--role <role>',
      `choose what the user sees: what goes to a mailbox, or one of ${[...ROLES].join(', ')}`,
    )
    .action((name: string, { role }: { role: string }) => printUser(context, name, role));

/** Asks for a password without showing it, and prints the line for `INBOX_USERS`. */
async function printUser({ stdin, terminal }: Context, name: string, role: string): Promise<void> {
  if (!parseUsers(`${name}:${role}:${ANY_HASH}`) || !(ROLES.has(role) || isMailbox(role)))
    refuse('The name or role is not allowed. A name has up to 64 letters, digits and the characters _ . @ -');
  terminal.note(`Password for ${name} (${PASSWORD_MIN_CHARS} characters or more; it is not shown):`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const isTyped = (stdin as { isTTY?: boolean }).isTTY === true;
  const lines = createInterface({ input: stdin, output: silent, terminal: isTyped });
  const password = await firstLine(lines).finally(() => lines.close());
  if ([...password].length < PASSWORD_MIN_CHARS)
    refuse(`The password has fewer than ${PASSWORD_MIN_CHARS} characters.`);
  const parts = name.split(/[.@_-]/).filter((part) => part.length >= PART_MIN_CHARS);
  const known = parts.find((part) => password.toLowerCase().includes(part.toLowerCase()));
  if (known) refuse(`The password contains "${known}".`);
  await terminal.printLine(`${name}:${role}:${await hashPassword(password)}`);
  terminal.note('Add this line to INBOX_USERS in .env, and run docker compose up -d --wait, or npm start again.');
  terminal.note(
    'Or add it to the file in INBOX_USERS_FILE, and run docker compose up -d --wait --force-recreate worker.',
  );
}

function refuse(why: string): never {
  throw new OperatorError(why, EXIT.usage);
}

/** Returns the first line, or an empty text at the end of the input, at which `question` would wait for ever. */
const firstLine = (lines: Interface) =>
  new Promise<string>((resolve) => {
    lines.once('line', resolve).once('close', () => resolve(''));
  });
