import { domainToASCII } from 'node:url';

/** Returns the `mailto:` URL of a reply to the visitor. */
export function answerUrl(email: string, subject: string): string {
  return `mailto:${addressInUrl(email)}?subject=${encodeURIComponent(subject)}`;
}

/**
 * Whether `Reply-To` can hold an address. A local part that is not ASCII needs SMTPUTF8 (RFC 6531) on every mail server
 * on the way. A domain has an ASCII form.
 */
export const fitsReplyTo = (address: string): boolean => !/\P{ASCII}/u.test(localPartOf(address));

const localPartOf = (address: string) => address.slice(0, address.lastIndexOf('@'));

/** Dots and characters that a local part may have without quotes (RFC 5322, 3.2.3, and RFC 6532). */
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~\-\P{ASCII}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\P{ASCII}]+)*$/u;

/**
 * Encodes an address for a `mailto:` URL (RFC 6068), with the local part quoted if necessary and the domain in ASCII if
 * possible.
 */
function addressInUrl(address: string): string {
  const local = localPartOf(address);
  const domain = address.slice(local.length + 1);
  const quoted = DOT_ATOM.test(local) ? local : `"${local.replace(/["\\]/g, '\\$&')}"`;
  return `${encodeURIComponent(quoted)}@${encodeURIComponent(domainToASCII(domain) || domain)}`;
}

/** Returns the URL of the inbox or of a submission's page there; undefined if the inbox is off. */
export function inboxPage(
  {
    SITE_URL,
    INBOX_URL = SITE_URL,
    INBOX_USERS,
  }: { readonly SITE_URL: string; readonly INBOX_URL?: string | undefined; readonly INBOX_USERS?: unknown },
  id?: string,
): string | undefined {
  if (!INBOX_USERS) return undefined;
  return [INBOX_URL.replace(/\/$/, ''), 'inbox', id].filter(Boolean).join('/');
}
