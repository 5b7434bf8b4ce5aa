import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import type { MailSettings } from '../config/settings.ts';
import type { Mail } from './mails/mail.ts';
import { LOCALE } from '../contract/locale.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('mails');

/**
 * Composes a message, signed (DKIM, RFC 6376) if a key is configured. An attached file is encoded while it is read, so that
 * large files take little memory.
 *
 * @returns the message as a stream, and the addresses for the mail server
 */
export async function composeMessage(mail: Mail, settings: MailSettings, file: Readable = Readable.from([])) {
  const { to, subject, messageId, replyTo, requestId, autoSubmitted, text, html, attachment } = mail;
  const { COMPANY_NAME, MAIL_FROM, MAIL_BOUNCES_TO = MAIL_FROM, DKIM_PRIVATE_KEY: dkim } = settings;
  const { envelope, message } = await createTransport({ streamTransport: true, dkim }).sendMail({
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
          content: file,
        },
      ],
    }),
  });
  return { envelope, message: message as Readable };
}

/** Nodemailer leaves the line ends of plain text as they are; in a message they are CR LF. */
const withLineEnds = (text: string) => text.replace(/\r?\n|\r/g, '\r\n');

/**
 * Breaks up encoded words (RFC 2047) by an invisible word joiner, so that mail programs show a text as it was typed.
 * Nodemailer leaves ASCII as it is, so a visitor's `=?...?=` would be decoded.
 */
const withoutEncodedWords = (text: string) => text.replaceAll('=?', '=\u2060?');
