import type { Readable } from 'node:stream';
import { readTemplate, type Values } from '../../html/template.ts';

/** A message for the mail server. The sender is added by the mailer. */
export interface Mail {
  readonly to: string;
  /** The visitor. Absent if a header cannot hold the address. */
  readonly replyTo?: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** The same for every attempt, so that mail servers recognise a duplicate. */
  readonly messageId: string;
  /** Id of the request that brought the submission, for a header. It is also in the logs of nginx and the service. */
  readonly requestId?: string;
  /** The message in two formats (multipart/alternative). */
  readonly text: string;
  readonly html: string;
  readonly attachment?: {
    readonly filename: string;
    readonly mediaType: string;
    /** Size in bytes, before encoding. */
    readonly size: number;
    /** Opens the bytes. Each attempt reads them again. */
    readonly open: () => Promise<Readable>;
  };
  /** Whether this is an automatic reply to a visitor, marked and with an empty envelope sender (RFC 3834). */
  readonly isAutoReply?: boolean;
}

/** Reads the two templates of a mail. Both are filled with the same values. */
export function readMail(name: string): (values: Values) => Pick<Mail, 'text' | 'html'> {
  const file = (path: string) => new URL(path, import.meta.url);
  const [html, text] = [readTemplate(file(`${name}.html`), file('frame.html')), readTemplate(file(`${name}.txt`))];
  return (values) => ({ text: text(values), html: html(values) });
}
