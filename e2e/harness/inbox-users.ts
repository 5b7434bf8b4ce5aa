import { hashPassword } from '../../form-service/src/config/inbox-users.ts';

/** The password of everybody who may open the inbox of a test's stack. */
export const INBOX_PASSWORD = 'a password of the tests';

/** `INBOX_USERS` with one user of each role, who has the role's name. */
export async function inboxUsers(): Promise<string> {
  const hash = await hashPassword(INBOX_PASSWORD);
  return ['sales', 'hr', 'all'].map((role) => `${role}:${role}:${hash}`).join(' ');
}
