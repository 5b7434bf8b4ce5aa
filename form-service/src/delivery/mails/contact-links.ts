import { domainToASCII } from 'node:url';

/** Where the buttons of a mail lead. */
export interface ContactLinks {
  /** Opens an answer to the visitor. */
  readonly answer: string;
  /** Calls; only where there is one telephone number. */
  readonly call?: string | undefined;
}

export function contactLinks(
  person: { readonly email: string; readonly phone: string },
  subject: string,
): ContactLinks {
  return {
    answer: `mailto:${addressInUrl(person.email)}?subject=${encodeURIComponent(subject)}`,
    call: telephoneUrl(person.phone),
  };
}

/** Whether only mail servers with SMTPUTF8 (RFC 6531) carry it: a domain has an ASCII form, a local part none. */
export const needsSmtpUtf8 = (address: string): boolean => /\P{ASCII}/u.test(localPartOf(address));

const localPartOf = (address: string) => address.slice(0, address.lastIndexOf('@'));

/** Dots and characters that stand in a local part without quotes (RFC 5322, 3.2.3, and RFC 6532). */
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~\-\P{ASCII}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\P{ASCII}]+)*$/u;

/** As a `mailto:` URL holds it (RFC 6068): a local part quoted that needs it, an ASCII domain if there is one. */
function addressInUrl(address: string): string {
  const local = localPartOf(address);
  const domain = address.slice(local.length + 1);
  const quoted = DOT_ATOM.test(local) ? local : `"${local.replace(/["\\]/g, '\\$&')}"`;
  return `${encodeURIComponent(quoted)}@${encodeURIComponent(domainToASCII(domain) || domain)}`;
}

/** Digits of one number, the longest with its country's (E.164); fewer than these are an extension or a slip. */
const DIGITS = { least: 5, most: 15 };

/**
 * A `tel:` URL (RFC 3966) where the visitor typed one number and nothing else; a field for any text holds words and
 * second numbers too, and a button that calls a stranger is worse than none.
 */
function telephoneUrl(phone: string): string | undefined {
  const [, number = '', extension] =
    /^\s*(\+?[\d\s().\-/\u2010-\u2015\u00a0]+?)\s*(?:(?:ext\.?|x|#)\s*(\d{1,6}))?\s*$/i.exec(phone) ?? [];
  // As in +44 (0)20: the zero is for callers within the country.
  const dialled = number.startsWith('+') ? number.replace('(0)', '') : number;
  const digits = dialled.replace(/\D/g, '');
  if (/\s\/\s/.test(number) || digits.length < DIGITS.least || digits.length > DIGITS.most) return undefined;
  return `tel:${number.startsWith('+') ? '+' : ''}${digits}${extension ? `;ext=${extension}` : ''}`;
}
