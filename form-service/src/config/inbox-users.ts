/** What a user sees: enquiries, applications, or both. */
export type Role = 'sales' | 'hr' | 'all';

/** Somebody who may open the inbox. */
export interface InboxUser {
  readonly name: string;
  readonly role: Role;
  /** `scrypt.LOG2N.SALT.KEY`, in characters that no `.env` file needs to quote. */
  readonly hash: string;
}

const LINE = /^([\w.@-]{1,64}):(sales|hr|all):(scrypt\.\d{2}\.[\w-]{16,}\.[\w-]{32,})$/;

/**
 * Reads `INBOX_USERS`: one `name:role:hash` a line, or several separated by white space.
 *
 * @returns undefined when a line is not one, or a name stands twice
 */
export function parseUsers(text: string): readonly InboxUser[] | undefined {
  const lines = text.split(/\s+/).filter((line) => line !== '');
  const users = lines.flatMap((line) => {
    const [, name, role, hash] = LINE.exec(line) ?? [];
    return name && role && hash ? [{ name, role: role as Role, hash }] : [];
  });
  const names = new Set(users.map(({ name }) => name));
  return users.length === lines.length && names.size === lines.length ? users : undefined;
}
