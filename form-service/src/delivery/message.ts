import type { Readable } from 'node:stream';
import MimeNode from 'nodemailer/lib/mime-node/index.js';
import qp from 'nodemailer/lib/qp/index.js';
import type { Mail } from './mails/mail.ts';

/** The longest line that a mail server must take (RFC 5322, 2.1.1). */
const LINE_MAX = 998;

/** Base64 has lines of 76 characters (RFC 2045, 6.8): so many bytes. */
const LINE_BYTES = 57;

/** A message as it goes to the mail server. */
export interface Message {
  readonly raw: Buffer | Readable;
  /** The size in octets, for comparison with what the server takes. */
  readonly size: number;
}

/**
 * Writes the header and the texts of a message at once. Nodemailer's own composer sends each line and each part through
 * streams of their own and looks for the best encoding of every value, which took a third of the worker's time.
 *
 * @returns what comes before the file, and what after it; the file itself stands between, in lines of base64
 */
export function composed(
  mail: Mail,
  from: { readonly name: string; readonly address: string },
): { head: string; tail: string } {
  const { attachment, replyTo, to, messageId, requestId } = mail;
  const options = { textEncoding: isMostlyAscii(mail.text) ? 'Q' : 'B' } as const;
  const root = new MimeNode(attachment ? 'multipart/mixed' : 'multipart/alternative', options);
  root.setHeader({ From: asHeader(from), To: to, Subject: asTyped(mail.subject), 'Message-ID': messageId });
  if (replyTo) root.setHeader('Reply-To', asHeader({ name: asTyped(replyTo.name), address: replyTo.address }));
  root.setHeader({ 'Auto-Submitted': mail.isAutoReply ? 'auto-replied' : 'auto-generated' });
  if (requestId) root.setHeader({ 'X-Request-Id': requestId });
  const texts = attachment ? root.createChild('multipart/alternative') : root;
  const head = [`${root.buildHeaders()}\r\n\r\n`];
  if (attachment) head.push(`--${root.boundary}\r\n${texts.buildHeaders()}\r\n\r\n`);
  for (const [type, text] of [
    ['plain', mail.text],
    ['html', asciiHtml(mail.html)],
  ] as const) {
    const { body, encoding } = encoded(text, options.textEncoding);
    const part = texts.createChild(`text/${type}; charset=utf-8`).setHeader('Content-Transfer-Encoding', encoding);
    head.push(`--${texts.boundary}\r\n${part.buildHeaders()}\r\n\r\n${body}\r\n`);
  }
  head.push(`--${texts.boundary}--\r\n`);
  if (!attachment) return { head: head.join(''), tail: '' };
  const file = root.createChild(attachment.mediaType, { ...options, filename: attachment.filename });
  file.setHeader({ 'Content-Disposition': 'attachment', 'Content-Transfer-Encoding': 'base64' });
  head.push(`\r\n--${root.boundary}\r\n${file.buildHeaders()}\r\n\r\n`);
  return { head: head.join(''), tail: `\r\n--${root.boundary}--\r\n` };
}

/** The size of a file of so many bytes in base64. */
export const base64Octets = (bytes: number): number =>
  Math.ceil((bytes * 4) / 3 / 4) * 4 + 2 * Math.ceil(bytes / LINE_BYTES);

/** A message with a file, which is encoded while it is read, so that large files take little memory. */
export async function* withFile(
  { head, tail }: { head: string; tail: string },
  file: AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  yield Buffer.from(head);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of file) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % LINE_BYTES);
    if (whole > 0) yield base64Lines(bytes.subarray(0, whole));
    rest = bytes.subarray(whole);
  }
  yield Buffer.concat([base64Lines(rest), Buffer.from(tail)]);
}

const base64Lines = (bytes: Buffer) => Buffer.from(bytes.toString('base64').replace(/.{1,76}/g, '$&\r\n'), 'latin1');

/** The text of a part, as it is where every mail server takes it so. */
function encoded(text: string, preferred: 'Q' | 'B'): { body: string; encoding: string } {
  const lines = text.replace(/\r?\n|\r/g, '\r\n');
  if (!NOT_ASCII.test(lines) && lines.split('\r\n').every((line) => line.length <= LINE_MAX))
    return { body: lines, encoding: '7bit' };
  if (preferred === 'Q') return { body: qp.wrap(qp.encode(lines)), encoding: 'quoted-printable' };
  return { body: base64Lines(Buffer.from(lines)).toString('latin1').trimEnd(), encoding: 'base64' };
}

// oxlint-disable-next-line no-control-regex
const NOT_ASCII = /[^\x00-\x7f]/;

/** Whether a person could read the text in quoted-printable, which filters prefer to base64. */
function isMostlyAscii(text: string): boolean {
  return Buffer.byteLength(text) - text.length < text.length / 3;
}

/** HTML can write each character in ASCII, which needs no encoding for transport. */
const asciiHtml = (html: string) =>
  NOT_ASCII.test(html) ? html.replace(/[\u0080-\u{10ffff}]/gu, (character) => `&#${character.codePointAt(0)};`) : html;

/** Nodemailer takes addresses in two parts here too, and quotes the name; only its types do not say so. */
const asHeader = (address: { readonly name: string; readonly address: string }) => address as unknown as string;

/**
 * Encodes a text for a header so that mail programs show it as it was typed. The transport leaves ASCII as it is, so a
 * visitor's `=?...?=` would be decoded into something else (RFC 2047); an invisible word joiner prevents that.
 */
function asTyped(text: string): string {
  return text.replaceAll('=?', '=\u2060?');
}
