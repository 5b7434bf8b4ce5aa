import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { InvalidArgumentError, Option } from 'commander';
import { companyFact } from '../config/company.ts';
import { isMailbox, parseUsers, ROLES } from '../config/inbox-users.ts';
import { hashPassword } from '../sign-in/password.ts';
import type { Context, Register } from './storage.ts';
import { EXIT, OperatorError } from './terminal.ts';

/** Minimum length of a password. Shorter ones can be guessed despite the rate limit. */
const PASSWORD_MIN_CHARS = 12;

export const registerInboxUser: Register = (program, context) =>
  program
    .command('inbox-user <name>')
    .description('ask for a password and print the line of a user of the inbox')
    .addOption(
      new Option(
        '--role <role>',
        `choose what the user sees: what goes to a mailbox, or one of ${[...ROLES].join(', ')}`,
      )
        .argParser(roleOf)
        .makeOptionMandatory(),
    )
    .action((name: string, { role }: { role: string }) => printUser(context, name, role));

/** @throws InvalidArgumentError unless it can be a role. The settings decide which mailboxes are. */
function roleOf(role: string): string {
  if (ROLES.has(role) || isMailbox(role)) return role;
  throw new InvalidArgumentError(`Choose a mailbox, or one of ${[...ROLES].join(', ')}.`);
}

/** Asks for a password without showing it, and prints the line for `INBOX_USERS`. */
async function printUser({ stdin, terminal, environment }: Context, name: string, role: string): Promise<void> {
  terminal.note(`Password for ${name} (${PASSWORD_MIN_CHARS} characters or more; it is not shown):`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const isTyped = (stdin as { isTTY?: boolean }).isTTY === true;
  const lines = createInterface({ input: stdin, output: silent, terminal: isTyped });
  const password = await firstLine(lines).finally(() => lines.close());
  if ([...password].length < PASSWORD_MIN_CHARS)
    throw new OperatorError(
      `The password has fewer than ${PASSWORD_MIN_CHARS} characters. Choose a longer one.`,
      EXIT.usage,
    );
  const company = environment['COMPANY_NAME'] || companyFact('name') || '';
  const weakness = await weaknessOf(password, [...name.split(/[.@_-]/), company, 'inbox']);
  if (weakness) throw new OperatorError(`The password ${weakness}. Choose another one.`, EXIT.usage);
  const line = `${name}:${role}:${await hashPassword(password)}`;
  if (!parseUsers(line))
    throw new OperatorError(
      'The name or role is not allowed. A name has up to 64 letters, digits and the characters _ . @ -',
      EXIT.usage,
    );
  await terminal.printLine(line);
  terminal.note('Add this line to INBOX_USERS in .env, and run docker compose up -d --wait, or npm start again.');
  terminal.note(
    'Or add it to the file in INBOX_USERS_FILE, and run docker compose up -d --wait --force-recreate worker.',
  );
}

/** Returns the first line, or an empty text at the end of the input, at which `question` would wait for ever. */
const firstLine = (lines: Interface) =>
  new Promise<string>((resolve) => {
    lines.once('line', resolve).once('close', () => resolve(''));
  });

/** Least number of different characters. The list has no repetitions, such as "aaaaaa". */
const DIFFERENT_MIN = 5;

/** Words of fewer letters occur in others by chance. */
const WORD_MIN_CHARS = 4;

/**
 * Returns why a password is easy to guess, if it is: it contains a word that an attacker knows, repeats few
 * characters, or is a common password, two of them, or one with digits or punctuation around it.
 */
async function weaknessOf(password: string, words: readonly string[]): Promise<string | undefined> {
  const text = password.normalize('NFC').toLowerCase();
  const word = words.find((one) => one.length >= WORD_MIN_CHARS && text.includes(one.toLowerCase()));
  if (word) return `contains "${word}"`;
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const common = new Set(dictionary['passwords-common']);
  const isCommon = (one: string) =>
    Array.from(one, (_, at) => [one.slice(0, at), one.slice(at)] as const).some(
      ([start, end]) => common.has(end) && (start === '' || common.has(start)),
    );
  const forms = [text, text.replace(/[^\p{L}\p{N}]/gu, ''), text.replace(/^\P{L}+|\P{L}+$/gu, '')];
  return new Set(text).size < DIFFERENT_MIN || forms.some(isCommon)
    ? 'is a common one, or made of common ones'
    : undefined;
}
