import { domainToASCII } from 'node:url';

/** Maximum length of a `mailto:` URL, in characters. Windows passes about 2,000 to a mail program. */
const MAILTO_MAX_CHARS = 1_800;

/** Maximum length of the title of a subject in a URL, which leaves room for the longest address. */
const TITLE_MAX_CHARS = 900;

/** Characters that could end a line of a header or reorder what is read. */
const HIDDEN = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/gu;

const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/**
 * Returns the `mailto:` URL of a reply to the visitor (RFC 6068).
 *
 * @param message quoted from its beginning, as far as it fits
 */
export function answerUrl(email: string, title: string, reference: string, message = ''): string {
  const shown = fitted(title.replaceAll(/\s/g, ' ').replaceAll(HIDDEN, ''), TITLE_MAX_CHARS);
  const url = `mailto:${addressInUrl(email)}?subject=${encoded(`${shown} (${reference})`)}`;
  const text = message.replaceAll(LINE_BREAK, '\n').replaceAll('\t', ' ').replaceAll(HIDDEN, '');
  // An empty line is for the answer.
  const start = `&body=${encoded('\n\n> ')}`;
  const quoted = fitted(
    text.replaceAll(/\n{3,}/g, '\n\n').trim(),
    MAILTO_MAX_CHARS - url.length - start.length,
    quotation,
  );
  return quoted === '' ? url : `${url}${start}${encoded(quotation(quoted))}`;
}

const quotation = (text: string): string => text.replaceAll('\n', '\n> ');

/** Encodes a text for a URL. A line ends with CR LF (RFC 6068, 5). */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll('\n', '\r\n'));

/** Splits a text into what a person sees as characters: an emoji or a letter with accents may be several code points. */
const characters = new Intl.Segmenter();

/**
 * Cuts a text to a length in a URL, between words. One without spaces, such as Japanese, is cut between characters.
 *
 * @param shown how a part of the text is shown
 */
function fitted(text: string, maxChars: number, shown = (part: string) => part): string {
  const lengthOf = (part: string) => encoded(shown(part)).length;
  let room = maxChars - lengthOf('…');
  let cut = '';
  // A character is at least one of the URL.
  for (const { segment } of characters.segment(text.slice(0, maxChars).replace(/\p{Surrogate}$/u, ''))) {
    if ((room -= lengthOf(segment)) < 0) break;
    cut += segment;
  }
  if (cut === text || cut === '') return cut;
  return `${/^(.*\S)\s/su.exec(cut)?.[1] ?? cut}…`;
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
