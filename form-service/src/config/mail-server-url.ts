import { isIPv4 } from 'node:net';
import { url } from './formats.ts';

/** Parameters of SMTP_URL that decide about STARTTLS, as nodemailer spells them. */
const TLS_PARAMETERS = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'];

/**
 * Address of the mail server. Nodemailer would take `requireTLS=no` for true and ignore `requiretls`. It throws if user or
 * password have a % that encodes nothing.
 */
export const mailServerUrl = () =>
  url('smtp://', 'smtps://')
    .test('login', 'must have %25 in place of each % in user and password', (value) => {
      const [, login = ''] = /^\w+:\/\/([^/?#]*)@/.exec(value ?? '') ?? [];
      return isDecodable(login);
    })
    .test(
      'tls',
      `must spell ${TLS_PARAMETERS.join(', ')} like this, each with true or false`,
      (value) =>
        !value ||
        !URL.canParse(value) ||
        [...new URL(value).searchParams].every(([name, choice]) => {
          const parameter = TLS_PARAMETERS.find((one) => one.toLowerCase() === name.toLowerCase());
          return !parameter || (name === parameter && /^(?:true|false)$/.test(choice));
        }),
    );

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

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

/** Whether a host name of a URL is this machine's own, which no other one reaches. */
export const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
