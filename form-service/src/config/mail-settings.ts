import { readFileSync } from 'node:fs';
import { string, type InferType, type ObjectSchema } from 'yup';
import { dkimSettings } from './dkim-settings.ts';
import { mailbox, url, whole } from './formats.ts';

/** A host name (RFC 5321, 4.1.1.1), or an address in brackets. */
const HELO_NAME = /^(?:(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*|\[[0-9a-f.:]+\])$/i;

/** Variables of the mails and of the mail server that takes them. */
export const mailSettings = {
  /** The company's name as mails show it: in `From`, and at the head of each message. */
  COMPANY_NAME: string()
    .matches(/^[^\p{Cc}]{1,80}$/u, 'must be 1 to 80 characters without line breaks')
    .default('Kitewright'),
  SMTP_URL: url('smtp://', 'smtps://').default('smtp://127.0.0.1:1025'),
  /** Name by which we greet the mail server; unset: the host of `SITE_URL`. */
  SMTP_HELO_NAME: string().matches(HELO_NAME, 'must be a host name'),
  /** File with the certificate in PEM that signed the mail server's, trusted beside the public ones. */
  SMTP_CA_FILE: string().test(
    'certificate',
    'must name a readable file with a certificate in PEM',
    (path) => path === undefined || holdsCertificate(path),
  ),
  SALES_INBOX: mailbox().default('hello@kitewright.example'),
  HR_INBOX: mailbox().default('careers@kitewright.example'),
  MAIL_FROM: mailbox().default('no-reply@kitewright.example'),
  /** Who is told when a message is returned after it was accepted (the envelope's sender); unset: `MAIL_FROM`. */
  MAIL_BOUNCES_TO: mailbox(),
  /** Largest encoded message in bytes; unset: only the mail server's own limit counts. */
  MAIL_MAX_BYTES: whole(1),
  /** Of the times that mails show, as the tz database names it. */
  TIME_ZONE: string()
    .test('zone', 'must be a time zone such as Europe/Lisbon', (zone) => zone === undefined || isTimeZone(zone))
    .default('UTC'),
  ...dkimSettings,
};

type Inferred = InferType<
  ObjectSchema<{ [Name in keyof typeof mailSettings]: InferType<(typeof mailSettings)[Name]> }>
>;
type Preset = 'COMPANY_NAME' | 'SMTP_URL' | 'SALES_INBOX' | 'HR_INBOX' | 'MAIL_FROM' | 'TIME_ZONE';

/** How mails look, where they go, and who takes them. */
export type MailSettings = Required<Pick<Inferred, Preset>> & Partial<Omit<Inferred, Preset>>;

function holdsCertificate(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes('-----BEGIN CERTIFICATE-----');
  } catch {
    return false;
  }
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).format() !== '';
  } catch {
    return false;
  }
}
