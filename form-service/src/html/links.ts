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

/** A telephone number has at most 15 digits with its country code (E.164). Fewer than 5 are an extension or a mistake. */
const DIGITS = { least: 5, most: 15 };

/** A number with the usual separators, and its extension. White space must be collapsed first, so that this is linear. */
const NUMBER = /^(\+?[\d ().\-/\u2010-\u2015]+?) ?(?:(?:ext\.?|x|#) ?(\d{1,6}))?$/i;

/**
 * Returns a `tel:` URL (RFC 3966) if the visitor typed exactly one number. The field accepts any text, and a button that
 * calls a stranger is worse than none.
 */
export function telephoneUrl(phone: string): string | undefined {
  const [, number = '', extension] = NUMBER.exec(phone.replace(/\s+/g, ' ').trim()) ?? [];
  // In +44 (0)20 the zero is for callers within the country.
  const dialled = number.startsWith('+') ? number.replace('(0)', '') : number;
  const digits = dialled.replace(/\D/g, '');
  if (number.includes(' / ') || digits.length < DIGITS.least || digits.length > DIGITS.most) return undefined;
  return `tel:${number.startsWith('+') ? '+' : ''}${digits}${extension ? `;ext=${extension}` : ''}`;
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
