import { inboxUsers } from './inbox-users.ts';
import { StackProcess } from './stack-process.ts';

/** Projects that do without a running stack, or start their own. */
const WITHOUT = new Set(['nginx', 'stack']);

/** Starts one stack for the whole run, unless every chosen test does without it; returns what stops it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  // What Playwright hands over names all projects, chosen or not.
  const chosen = process.argv.filter((_, at, all) => all[at - 1] === '--project');
  if (chosen.length > 0 && chosen.every((name) => WITHOUT.has(name))) return async () => {};
  const stack = await StackProcess.start({ INBOX_USERS: await inboxUsers() });
  process.env.E2E_SITE_URL = stack.siteUrl;
  process.env.E2E_MAIL_URL = stack.mailUrl;
  return () => stack.stop();
}
