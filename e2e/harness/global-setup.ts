import { CLIENT, OpenIdProvider } from '../../form-service/test/openid-provider.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { inboxUsers } from './inbox-users.ts';
import { StackProcess } from './stack-process.ts';

/** Projects that do not use the shared stack. */
const WITHOUT_STACK = new Set(['nginx', 'stack']);

/** Starts one stack for all projects that need it. Returns a function that stops it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  // The configuration object of Playwright contains all projects, so the chosen ones come from the command line.
  const chosen = process.argv.flatMap((word, at, all) => {
    if (word.startsWith('--project=')) return [word.slice('--project='.length)];
    return all[at - 1] === '--project' ? [word] : [];
  });
  if (chosen.length > 0 && chosen.every((name) => WITHOUT_STACK.has(name))) return async () => {};
  const [port = 0] = await freePorts(1);
  const provider = await OpenIdProvider.start([`http://127.0.0.1:${port}/inbox/sign-in/callback`]);
  const stack = await StackProcess.start({
    PORT: String(port),
    // Tests of the inbox state the addresses of their users.
    TRUSTED_PROXIES: '127.0.0.1',
    INBOX_USERS: await inboxUsers(),
    INBOX_LABELS: 'invited, on hold, rejected; application = hired',
    OIDC_ISSUER: provider.issuer,
    ...CLIENT,
  });
  process.env.E2E_SITE_URL = stack.siteUrl;
  process.env.E2E_MAIL_URL = stack.mailUrl;
  return async () => {
    await stack.stop();
    await provider.stop();
  };
}
