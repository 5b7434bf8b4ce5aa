import { FORM_KINDS, FORMS, type FormKind } from '../contract/forms.ts';

/** Setting with the mailbox of a department. Its users see the forms that are sent there. */
const DEPARTMENTS: Readonly<Record<string, 'SALES_INBOX' | 'HR_INBOX'>> = {
  sales: 'SALES_INBOX',
  hr: 'HR_INBOX',
};

/** Roles of users: a department, the name of a form, or all. */
export const ROLES: ReadonlySet<string> = new Set([...Object.keys(DEPARTMENTS), ...FORM_KINDS, 'all']);

/** Whether a role is a mailbox. Its users see what is sent there. */
export const isMailbox = (role: string): boolean => role.includes('@');

/** Forms of a role: of all, of one form, or of those whose mailbox is that of a department. */
export function formsOf(role: string): readonly FormKind[] {
  if (role === 'all') return FORM_KINDS;
  const setting = DEPARTMENTS[role];
  return FORMS.filter(({ kind, mailbox }) => kind === role || (mailbox && mailbox === setting)).map(({ kind }) => kind);
}

/** Third part of the line of a user who signs in with OpenID Connect. */
export const OIDC = 'oidc';

/** A user of the inbox: one line of `INBOX_USERS`. */
export interface InboxUser {
  readonly name: string;
  /** One of the {@link ROLES}, or a mailbox. */
  readonly role: string;
  /** `scrypt.LOG2N.P.SALT.KEY`, which needs no quotes in a `.env` file, or {@link OIDC}. */
  readonly hash: string;
}

const LINE = /^([\w.@-]{1,64}):([^\s:]+):(scrypt\.1[0-7]\.\d{1,2}\.[\w-]{16,}\.[\w-]{32,})$/;
const OIDC_LINE = /^([\w.+'-]{1,64}@[\w.-]{1,190}):([^\s:]+):(oidc)$/;

/**
 * Reads `INBOX_USERS`: a `name:role:hash` or `address:role:oidc` on each line, or several separated by white space.
 *
 * @returns undefined if a line is malformed or a name occurs twice
 */
export function parseUsers(text: string): readonly InboxUser[] | undefined {
  const lines = text.split(/\s+/).filter((line) => line !== '');
  const users = lines.flatMap((line) => {
    const [, name, role, hash] = LINE.exec(line) ?? OIDC_LINE.exec(line) ?? [];
    return name && role && hash ? [{ name, role, hash }] : [];
  });
  const names = new Set(users.map(({ name }) => name.toLowerCase()));
  return users.length === lines.length && names.size === lines.length ? users : undefined;
}

/** Returns a sentence about a role that is neither one of the {@link ROLES} nor one of these mailboxes. */
export function unknownRole(users: readonly InboxUser[], mailboxes: readonly string[]): string | undefined {
  const known = [...new Set([...ROLES, ...mailboxes])];
  const unknown = users.find(({ role }) => !known.includes(role));
  return unknown && `has the role "${unknown.role}", which is none of these: ${known.join(', ')}`;
}

/** Returns the line of a user. A change of this line ends the user's sessions. */
export const lineOf = ({ name, role, hash }: InboxUser) => `${name}:${role}:${hash}`;
