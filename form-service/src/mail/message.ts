import type { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { MailSettings } from '../config/settings.ts';
import type { Mail } from './mails/mail.ts';
import { LOCALE } from '../contract/locale.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('mails');

/** A message as it is sent, with the addresses for the mail server. */
export interface Message {
  readonly envelope: { readonly from: string | false; readonly to: string[] };
  readonly message: Readable;
}

/**
 * Returns a function that composes messages, signed (DKIM, RFC 6376) if a key is configured. An attached file is encoded
 * while it is read, so that large files take little memory.
 */
export function messageComposer(settings: MailSettings): (mail: Mail, file?: Readable) => Promise<Message> {
  const { COMPANY_NAME, MAIL_FROM, MAIL_BOUNCES_TO = MAIL_FROM, DKIM_PRIVATE_KEY: dkim } = settings;
  const composer = createTransport({ streamTransport: true, dkim });
  return async ({ to, subject, messageId, replyTo, requestId, autoSubmitted, text, html, attachment }, file) => {
    const { envelope, message } = await composer.sendMail({
      envelope: { from: autoSubmitted === 'auto-replied' ? '' : MAIL_BOUNCES_TO, to },
      from: { name: words.sender({ company: COMPANY_NAME }), address: MAIL_FROM },
      to,
      subject: withoutEncodedWords(subject),
      messageId,
      headers: {
        'Content-Language': LOCALE,
        ...(autoSubmitted && { 'Auto-Submitted': autoSubmitted }),
        ...(requestId !== undefined && { 'X-Request-Id': requestId }),
      },
      ...(replyTo && { replyTo: { ...replyTo, name: withoutEncodedWords(replyTo.name) } }),
      text: withLineEnds(text),
      html: withLineEnds(html),
      xMailer: false,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(attachment && {
        attachments: [
          {
            filename: attachment.filename,
            contentType: attachment.mediaType,
            contentTransferEncoding: 'base64',
            content: file ?? Buffer.alloc(0),
          },
        ],
      }),
    });
    return { envelope, message: message as Readable };
  };
}

/** Nodemailer leaves the line ends of plain text as they are; in a message they are CR LF. */
const withLineEnds = (text: string) => text.replace(/\r?\n|\r/g, '\r\n');

/**
 * Breaks up encoded words (RFC 2047), so that mail programs show a text as it was typed. Nodemailer leaves ASCII as it is,
 * so a visitor's `=?...?=` would be decoded into something else; an invisible word joiner prevents that.
 */
function withoutEncodedWords(text: string): string {
  return text.replaceAll('=?', '=\u2060?');
}
