import { holds, isThisMachine, url } from './formats.ts';

/** Address of the mail server. Nodemailer throws if user or password have a % that encodes nothing. */
export const mailServerUrl = () =>
  url('smtp://', 'smtps://').test('login', 'must have %25 in place of each % in user and password', (value = '') =>
    holds(() => decodeURIComponent(/^\w+:\/\/([^/?#]*)@/.exec(value)?.[1] ?? '') !== undefined),
  );

/**
 * Whether the login and the mails must be encrypted by STARTTLS: they cross a network, and the URL does not allow clear
 * text by `requireTLS=false`.
 */
export function needsStartTls(smtpUrl: string): boolean {
  const { protocol, username, password, hostname, searchParams } = new URL(smtpUrl);
  const hasLogin = username !== '' || password !== '';
  const isAllowed = searchParams.get('requireTLS') === 'false';
  return protocol === 'smtp:' && hasLogin && !isThisMachine(hostname.toLowerCase()) && !isAllowed;
}

/** Returns a sentence if the port is usual for the other scheme: TLS begins at once with 465, and by STARTTLS with 25 and 587. */
export function unusualPort(smtpUrl: string): string | undefined {
  const { protocol, port } = new URL(smtpUrl);
  if (protocol === 'smtp:' && port === '465') return 'SMTP_URL has port 465, for which servers want smtps://';
  if (protocol === 'smtps:' && /^(?:25|587)$/.test(port))
    return `SMTP_URL has port ${port}, for which servers want smtp://`;
  return undefined;
}
