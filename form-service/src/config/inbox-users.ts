/** Submissions that a user may see: enquiries, applications, or both. */
export type Role = 'sales' | 'hr' | 'all';

/** Third part of the line of a user who signs in with OpenID Connect. */
export const OIDC = 'oidc';

/** A user of the inbox: one line of `INBOX_USERS`. */
export interface InboxUser {
  readonly name: string;
  readonly role: Role;
  /** `scrypt.LOG2N.SALT.KEY`, which needs no quotes in a `.env` file, or {@link OIDC}. */
  readonly hash: string;
}

const LINE = /^([\w.@-]{1,64}):(sales|hr|all):(scrypt\.\d{2}\.[\w-]{16,}\.[\w-]{32,})$/;
const OIDC_LINE = /^([\w.+'-]{1,64}@[\w.-]{1,190}):(sales|hr|all):(oidc)$/;

/**
 * Reads `INBOX_USERS`: a `name:role:hash` or `address:role:oidc` on each line, or several separated by white space.
 *
 * @returns undefined if a line is malformed or a name occurs twice
 */
export function parseUsers(text: string): readonly InboxUser[] | undefined {
  const lines = text.split(/\s+/).filter((line) => line !== '');
  const users = lines.flatMap((line) => {
    const [, name, role, hash] = LINE.exec(line) ?? OIDC_LINE.exec(line) ?? [];
    return name && role && hash ? [{ name, role: role as Role, hash }] : [];
  });
  const names = new Set(users.map(({ name }) => name.toLowerCase()));
  return users.length === lines.length && names.size === lines.length ? users : undefined;
}

/** Returns the line of a user. A change of this line ends the user's sessions. */
export const lineOf = ({ name, role, hash }: InboxUser) => `${name}:${role}:${hash}`;
