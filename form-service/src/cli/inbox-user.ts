import { createInterface } from 'node:readline/promises';
import { Writable, type Readable } from 'node:stream';
import { parseUsers } from '../config/inbox-users.ts';
import { hashPassword } from '../inbox/password.ts';
import { EXIT, OperatorError, type Terminal } from './terminal.ts';

/** Minimum length of a password. Shorter ones can be guessed despite the rate limit. */
const PASSWORD_MIN_CHARS = 12;

/** `inbox-user`: asks for a password without showing it, and prints the line for `INBOX_USERS`. */
export async function inboxUser(
  terminal: Terminal,
  stdin: Readable,
  name: string,
  { role }: { readonly role: string },
): Promise<void> {
  terminal.note(`Password for ${name} (${PASSWORD_MIN_CHARS} characters or more; it is not shown):`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const isTyped = (stdin as { isTTY?: boolean }).isTTY === true;
  const lines = createInterface({ input: stdin, output: silent, terminal: isTyped });
  const password = await lines.question('').finally(() => lines.close());
  if ([...password].length < PASSWORD_MIN_CHARS)
    throw new OperatorError(
      `The password has fewer than ${PASSWORD_MIN_CHARS} characters. Choose a longer one.`,
      EXIT.usage,
    );
  const line = `${name}:${role}:${await hashPassword(password)}`;
  if (!parseUsers(line))
    throw new OperatorError(
      'The name is not allowed. Use up to 64 letters, digits and the characters _ . @ -',
      EXIT.usage,
    );
  await terminal.printLine(line);
  terminal.note('Add this line to INBOX_USERS, or to the file in INBOX_USERS_FILE. Then restart the worker.');
}
