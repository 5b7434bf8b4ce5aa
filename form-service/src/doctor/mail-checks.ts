import { createPublicKey, randomUUID } from 'node:crypto';
import type { DkimKey } from '../config/formats.ts';
import type { Settings } from '../config/settings.ts';
import { Mailer } from '../mail/mailer.service.ts';
import type { Mail } from '../mail/mails/mail.ts';
import type { CheckResult } from '../observability/health.service.ts';
import type { DeliveryError, FailureArea } from '../outbox/failure.ts';
import { allRecipients } from '../submissions/recipients.ts';
import { fault, findingWithin, sentences, type Finding, type Outside } from './finding.ts';

export async function checkMailServer(settings: Settings): Promise<CheckResult | void> {
  try {
    await new Mailer(settings).verify();
  } catch (error) {
    const { message, area } = error as DeliveryError;
    return fault(message, mailServerHint(area, settings));
  }
}

/** Remedies by what the mail server's error is about. The sentence about our identity has its own. */
const MAIL_SERVER_HINTS: Readonly<Record<FailureArea, string>> = {
  login: "Write special characters as %40, and take the provider's SMTP password",
  certificate: 'See docs/operations.md#the-mail-servers-certificate',
  identity: '',
};

/** Returns the remedy for a mail server that cannot be used. */
const mailServerHint = (area: FailureArea | undefined, settings: Settings): string =>
  area ? MAIL_SERVER_HINTS[area] : addressHint(settings);

/** Returns the remedy for an unreachable mail server. With implicit TLS (port 465) a server does not greet plain SMTP. */
export function addressHint({ SMTP_URL }: Settings): string {
  const { protocol, port } = new URL(SMTP_URL);
  if (protocol === 'smtp:' && port === '465') return 'Port 465 needs smtps:// in SMTP_URL';
  if (protocol === 'smtps:' && ['25', '587'].includes(port)) return `Port ${port} needs smtp:// in SMTP_URL`;
  return 'Check host and port in SMTP_URL. Many providers of servers block port 25: use 465 (smtps://) or 587 (smtp://)';
}

/** Checks the DNS records by which receivers judge the sender. Receivers look up SPF for the envelope sender (RFC 7208). */
export function senderChecks({ MAIL_FROM, MAIL_BOUNCES_TO }: Settings, outside: Outside): Promise<Finding>[] {
  const [domain = '', envelopeDomain = ''] = [MAIL_FROM, MAIL_BOUNCES_TO || MAIL_FROM].map((at) => at.split('@')[1]);
  const finding = findingWithin(outside.limits.check);
  const example = "such as v=spf1 include:... ~all with your mail provider's name";
  return [
    finding(`SPF of ${envelopeDomain}`, checkRecord(outside, [envelopeDomain], 'v=spf1', example)),
    finding(`DMARC of ${domain}`, checkRecord(outside, dmarcNames(domain), 'v=DMARC1', 'such as v=DMARC1; p=none')),
  ];
}

async function textsOf(outside: Outside, name: string): Promise<string[]> {
  const records = await outside.resolveTxt(name).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
    throw new Error(
      `${name} cannot be looked up (${error.code ?? error.message}). Check the server in /etc/resolv.conf`,
    );
  });
  return records.map((parts) => parts.join(''));
}

/** Checks the record at the first of the names that has one. */
async function checkRecord(
  outside: Outside,
  names: readonly string[],
  begin: string,
  example: string,
): Promise<CheckResult | void> {
  for (const name of names) {
    const found = (await textsOf(outside, name)).filter((text) => text.startsWith(begin));
    if (found.length === 1) return;
    if (found.length > 1)
      return fault(
        `${name} has ${found.length} such TXT records, so receivers ignore all of them`,
        'Join them into one',
      );
  }
  return fault(
    `${names[0]} has no TXT record that begins with ${begin}, so mails may count as spam`,
    `Add one, ${example}`,
  );
}

/**
 * Returns the names of DMARC records that apply to a domain: its own, then those of its parents down to two labels. The
 * record of the organizational domain applies to subdomains without one (RFC 7489, section 6.6.3).
 */
function dmarcNames(domain: string): string[] {
  const labels = domain.split('.');
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
  return [domain, ...parents].map((name) => `_dmarc.${name}`);
}

/** Checks that the public key of DKIM is published. */
export async function checkSignature(
  outside: Outside,
  { keySelector, domainName, privateKey }: DkimKey,
): Promise<CheckResult | void> {
  const name = `${keySelector}._domainkey.${domainName}`;
  const key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const published = (await textsOf(outside, name)).map((text) => /p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, ''));
  if (!published.includes(key.toString('base64')))
    return fault(
      `${name} does not publish the key of DKIM_PRIVATE_KEY`,
      `Set its TXT record to v=DKIM1; p=${key.toString('base64')}`,
    );
}

/** Sends a mail to each mailbox, with the EHLO name, TLS and signature of all others. */
export async function trialMails(settings: Settings): Promise<void> {
  for (const to of allRecipients(settings))
    await sendTrial(settings, { to }).catch(({ kind, area, message, reply }: DeliveryError) => {
      const hint =
        kind === 'server-away'
          ? mailServerHint(area, settings)
          : 'Check that the address exists, and that the account may send as MAIL_FROM';
      const said = reply?.reply ? ` The mail server says: ${reply.reply.replaceAll('\n', ' ')}` : '';
      throw new Error(`to ${to}: ${sentences(`${message}${said}`, hint)}`);
    });
}

/** Sends a mail with an empty envelope sender, as acknowledgements do (RFC 3834). Some mail servers reject it. */
export async function trialAcknowledgement(settings: Settings): Promise<void> {
  const to = settings.SALES_INBOX;
  await sendTrial(settings, { to, autoSubmitted: 'auto-replied' }).catch(({ message }: Error) => {
    throw new Error(
      `${message} The mail server rejects an empty envelope sender (MAIL FROM:<>), so visitors get no ` +
        'acknowledgement. Allow it there, use another mail server, or set ACKNOWLEDGE=off',
    );
  });
}

async function sendTrial(
  settings: Settings,
  { to, autoSubmitted = 'auto-generated' }: Pick<Mail, 'to' | 'autoSubmitted'>,
): Promise<void> {
  const requestId = randomUUID();
  const messageId = `<${requestId}@${new URL(settings.SITE_URL).hostname}>`;
  const text = 'This mailbox receives what visitors send by the forms of your website. There is nothing to do.';
  const mail = { to, subject: 'Trial mail of your website', messageId, requestId, text, html: `<p>${text}</p>` };
  await new Mailer(settings).send({ ...mail, autoSubmitted });
}
