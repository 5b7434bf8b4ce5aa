import type { Readable } from 'node:stream';
import { readTemplate, type Values } from '../../template.ts';

/** A message for the mail server. The sender is added by the mailer. */
export interface Mail {
  readonly to: string;
  /** The visitor, who gets the reply; absent where an address like theirs cannot stand in a header. */
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** The Message-ID, the same for every attempt at one submission, so that a repeat can be recognised. */
  readonly messageId: string;
  /**
   * The id of the request that brought the submission, where the mail is about one. It is a header of the message, and
   * stands in the logs of nginx and the service.
   */
  readonly requestId?: string;
  /** The message in two formats, between which the reader's mail program chooses. */
  readonly text: string;
  readonly html: string;
  readonly attachment?: {
    readonly filename: string;
    readonly mediaType: string;
    /** The size in bytes, before encoding. */
    readonly size: number;
    /** Opens the bytes; each attempt reads them anew. */
    readonly open: () => Promise<Readable>;
  };
  /** A program's answer to a visitor: it says so, and has no envelope sender, so that nothing comes back (RFC 3834). */
  readonly isAutoReply?: boolean;
}

/** Reads the two templates of a mail. They are filled with the same values, so that both parts say the same. */
export function readMail(name: string): (values: Values) => Pick<Mail, 'text' | 'html'> {
  const file = (path: string) => new URL(path, import.meta.url);
  const [html, text] = [readTemplate(file(`${name}.html`), file('frame.html')), readTemplate(file(`${name}.txt`))];
  return (values) => ({ text: text(values), html: html(values) });
}
