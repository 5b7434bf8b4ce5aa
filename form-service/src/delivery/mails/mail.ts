import type { Readable } from 'node:stream';

/** A message ready for the mail server; the sender is the mailer's own. */
export interface Mail extends MailParts {
  readonly to: string;
  /** The visitor, who gets the answer. */
  readonly replyTo: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** The same for every attempt at one submission, so that a repeat can be recognised. */
  readonly messageId: string;
  /** Of the request that brought the submission: a header of the message, and in the logs of nginx and the service. */
  readonly requestId: string;
  readonly attachment?: MailAttachment;
  /** Only where the visitor's address needs SMTPUTF8: what is said, without `Reply-To`, where a server has none. */
  readonly withoutReplyTo?: MailParts | undefined;
}

/** The same message twice, for the reader's mail program to choose. */
export interface MailParts {
  readonly text: string;
  readonly html: string;
}

export interface MailAttachment {
  readonly filename: string;
  readonly mediaType: string;
  /** Bytes, before encoding. */
  readonly size: number;
  /** Opens the bytes; each attempt reads them anew. */
  readonly open: () => Promise<Readable>;
}

/** Octets of base64 for so many bytes, in lines of 76 characters (RFC 2045, 6.8). */
const base64Octets = (bytes: number) => Math.ceil(bytes / 57) * 78;

/** Room for the headers that the mailer adds. */
const HEADER_OCTETS = 4_096;

/**
 * Size of the message as it will be sent, in octets and rather too large than too small: what the mail server's SIZE
 * (RFC 1870) is compared with.
 */
export function encodedSize(mail: MailParts & Pick<Mail, 'attachment'>): number {
  const texts = Buffer.byteLength(mail.text) + Buffer.byteLength(mail.html);
  // Quoted-printable writes an octet as three, and breaks lines of 76 with three more.
  return HEADER_OCTETS + Math.ceil(texts * 3.2) + base64Octets(mail.attachment?.size ?? 0);
}
