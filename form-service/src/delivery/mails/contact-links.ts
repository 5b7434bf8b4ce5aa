import { domainToASCII } from 'node:url';

/** The link that opens a reply to the visitor. */
export function answerUrl(email: string, subject: string): string {
  return `mailto:${addressInUrl(email)}?subject=${encodeURIComponent(subject)}`;
}

/**
 * Whether an address can stand in `Reply-To`: a local part that is not ASCII needs SMTPUTF8 (RFC 6531) of every mail
 * server on the way. A domain has an ASCII form.
 */
export const fitsReplyTo = (address: string): boolean => !/\P{ASCII}/u.test(localPartOf(address));

const localPartOf = (address: string) => address.slice(0, address.lastIndexOf('@'));

/** Dots and characters that a local part may have without quotes (RFC 5322, 3.2.3, and RFC 6532). */
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~\-\P{ASCII}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\P{ASCII}]+)*$/u;

/**
 * An address in a `mailto:` URL (RFC 6068): the local part quoted where necessary, the domain in ASCII where it has
 * that form.
 */
function addressInUrl(address: string): string {
  const local = localPartOf(address);
  const domain = address.slice(local.length + 1);
  const quoted = DOT_ATOM.test(local) ? local : `"${local.replace(/["\\]/g, '\\$&')}"`;
  return `${encodeURIComponent(quoted)}@${encodeURIComponent(domainToASCII(domain) || domain)}`;
}

/**
 * The number of digits of a telephone number: the longest has a country code (E.164), and fewer are an extension or a
 * mistake.
 */
const DIGITS = { least: 5, most: 15 };

/**
 * A `tel:` URL (RFC 3966) where the visitor typed one number and nothing else. The field takes any text, so it may hold
 * words and second numbers, and a button that calls a stranger is worse than none.
 */
export function telephoneUrl(phone: string): string | undefined {
  const [, number = '', extension] =
    /^\s*(\+?[\d\s().\-/\u2010-\u2015\u00a0]+?)\s*(?:(?:ext\.?|x|#)\s*(\d{1,6}))?\s*$/i.exec(phone) ?? [];
  // In +44 (0)20 the zero is for callers within the country.
  const dialled = number.startsWith('+') ? number.replace('(0)', '') : number;
  const digits = dialled.replace(/\D/g, '');
  if (/\s\/\s/.test(number) || digits.length < DIGITS.least || digits.length > DIGITS.most) return undefined;
  return `tel:${number.startsWith('+') ? '+' : ''}${digits}${extension ? `;ext=${extension}` : ''}`;
}
