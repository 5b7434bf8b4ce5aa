import { createPrivateKey } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { mixed, number, string, type Schema } from 'yup';
import { FORM_KINDS } from '../contract/forms.ts';
import { OIDC, parseUsers, unknownRole, type InboxUser } from './inbox-users.ts';

/** URL with one of the schemes. A scheme that ends in `//` needs a host; `file:` must not have one. */
export const url = (...schemes: string[]) =>
  string()
    .test('path', 'must have a path after file:, as in file:/var/x or file:x, and no server after //', (value) => {
      return value === undefined || !/^file:\/\/(?!\/)/.test(value);
    })
    .test('url', `must be a URL that starts with ${schemes.join(' or ')}`, (value) => {
      const scheme = schemes.find((one) => value?.startsWith(one));
      if (value === undefined || scheme === undefined) return value === undefined;
      return scheme.endsWith('//')
        ? URL.canParse(value) && new URL(value).hostname !== ''
        : value.length > scheme.length;
    });

/** Address of a host: scheme, name and port. */
export const origin = () =>
  string().matches(
    /^https?:\/\/[a-z0-9.-]+(?::\d+)?\/?$/i,
    'must be a URL that starts with https:// and has no path, such as https://inbox.example.org',
  );

/** URL by TLS, or plain HTTP to this machine. @param rest what else it must match */
const safeUrl = (rest: RegExp, message: string) =>
  string().test('safe', message, (value) => {
    if (value === undefined) return true;
    const found = URL.canParse(value) ? new URL(value) : undefined;
    const isSafe = found?.protocol === 'https:' || (found?.protocol === 'http:' && isThisMachine(found.hostname));
    return isSafe && rest.test(value);
  });

/** Whether a host name of a URL is this machine's own, which no other one reaches. */
export const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));

/** Microsoft's issuers for all tenants. Anyone can create a tenant and use any address in it. */
const MANY_TENANTS =
  /^https:\/\/(?:login\.(?:partner\.)?microsoftonline\.(?:com|us|cn)|login\.microsoft\.com)\/(?:common|organizations|consumers)(?:\/|$)/i;

/** Issuer of an OpenID Connect provider. Plain HTTP is only allowed to this machine. */
export const issuer = () =>
  safeUrl(/^[^\s?#@]*$/, 'must be a URL that starts with https://, without ? and #').test(
    'tenant',
    'must name your tenant, as in https://login.microsoftonline.com/TENANT_ID/v2.0: the issuer of all tenants says nothing about who owns an address',
    (value) => !MANY_TENANTS.test(value ?? ''),
  );

/** URL to which submissions are posted. Visitors' data crosses the network only by TLS. */
export const webhookUrl = () => safeUrl(/^\S*$/, 'must be a URL that starts with https://, or http:// on this machine');

/** Signing key of at least 24 bytes, in the format of Standard Webhooks. */
export const webhookSecret = () =>
  string().matches(
    /^(?:whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/,
    'must be at least 24 random bytes in Base64, as openssl rand -base64 32 prints them',
  );

export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return number().typeError(message).integer(message).min(min, message).max(max, message);
};

const MAILBOX = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/;

/** One e-mail address, without a display name. */
export const mailbox = () => string().matches(MAILBOX, 'must be one e-mail address without a display name');

/** Host name (RFC 5321, 4.1.1.1), or an IP address in brackets. */
export const hostName = () =>
  string().matches(/^(?:(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*|\[[0-9a-f.:]+\])$/i, 'must be a host name');

/** Text in a notation of its own. @param parse returns undefined if the text is malformed */
const parsed = <T extends object>(parse: (text: string) => T | undefined, message: string) =>
  mixed((value): value is T => typeof value === 'object')
    .transform((value: unknown) => (typeof value === 'string' ? (parse(value) ?? value) : value))
    .typeError(message);

/** Users of the inbox. Users of OpenID Connect need its settings. */
export const inboxUsers = () =>
  parsed<readonly InboxUser[]>(
    parseUsers,
    'must be lines of name:role:hash, as "submissions inbox-user" writes them, or address:role:oidc, each name once',
  )
    .test('oidc', 'has lines that end with :oidc, which need OIDC_ISSUER', (users, { parent }) => {
      return parent.OIDC_ISSUER !== undefined || !users?.some(({ hash }) => hash === OIDC);
    })
    .test('roles', (users, { parent, createError }) => {
      const message = unknownRole(users ?? [], allRecipients(parent as RecipientSettings));
      return message === undefined || createError({ message });
    });

/** The settings with mailboxes that get submissions. */
export interface RecipientSettings {
  readonly SALES_INBOX: string;
  readonly HR_INBOX: string;
  readonly RECIPIENTS?: Recipients | undefined;
}

/** Returns all mailboxes that get submissions, without duplicates. */
export const allRecipients = ({ SALES_INBOX, HR_INBOX, RECIPIENTS }: RecipientSettings): string[] => [
  ...new Set([SALES_INBOX, HR_INBOX, ...(RECIPIENTS instanceof Map ? RECIPIENTS.values() : [])]),
];

/** Mailboxes that get enquiries about a service or applications for a position instead of the two defaults. */
export type Recipients = ReadonlyMap<string, string>;

/**
 * Reads `RECIPIENTS`: `service or position = address`, several separated by `;` or line breaks.
 *
 * @returns undefined if a part is malformed or a key occurs twice
 */
export function parseRecipients(text: string): Recipients | undefined {
  const parts = text.split(/[;\n]/).filter((part) => part.trim() !== '');
  const recipients = new Map<string, string>();
  for (const part of parts) {
    const [, key, address] = /^\s*(\S[^=]*?)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
    if (key && address) recipients.set(key, address);
  }
  return recipients.size === parts.length ? recipients : undefined;
}

/** Mailboxes of services and positions. */
export const recipients = () =>
  parsed(parseRecipients, 'must be pairs of name = address with ; between them, each name once').test(
    'addresses',
    'must name one e-mail address for each, without a display name',
    (value) => [...(value?.values() ?? [])].every((address) => MAILBOX.test(address)),
  );

/** Labels of the inbox. Their number and length fit into rows and pages. */
const LABELS = { most: 12, maxChars: 30 };

/** Labels of the inbox by the name of their form; those for all forms by an empty name. */
export type Labels = ReadonlyMap<string, readonly string[]>;

/** Labels: a list for all forms, or `form = label, label` for one form, with `;` between them. */
export const labels = () =>
  parsed<Labels>(
    parseLabels,
    `must be at most ${LABELS.most} labels of at most ${LABELS.maxChars} characters with commas between them, each label once, or FORM = label, label with ; between forms`,
  )
    .test('forms', `must name these forms: ${FORM_KINDS.join(', ')}`, (value) =>
      [...(value?.keys() ?? [])].every((form) => form === '' || FORM_KINDS.includes(form)),
    )
    .default(new Map());

/** Returns the labels of a form, those for all forms first. */
export const labelsFor = (form: string, all: Labels): string[] => [...(all.get('') ?? []), ...(all.get(form) ?? [])];

function parseLabels(text: string): Labels | undefined {
  const all = new Map<string, string[]>();
  for (const part of text.split(';')) {
    const [, form = '', list] = /^(?:([^=]*)=)?([^=]*)$/.exec(part) ?? [];
    if (list === undefined) return undefined;
    const own = list.split(',').map((label) => label.trim());
    all.set(form.trim(), [...(all.get(form.trim()) ?? []), ...own.filter((label) => label !== '')]);
  }
  const lists = [all.get('') ?? [], ...FORM_KINDS.map((form) => labelsFor(form, all))];
  return lists.every(fitLabels) ? all : undefined;
}

function fitLabels(all: readonly string[]): boolean {
  const isShort = all.every((label) => [...label].length <= LABELS.maxChars && !/\p{Cc}/u.test(label));
  const isOnce = new Set(all.map((label) => label.toLowerCase())).size === all.length;
  return all.length <= LABELS.most && isShort && isOnce;
}

/** Time of day, or an empty text for none. */
export const timeOfDay = () =>
  string()
    .matches(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/, 'must be a time such as 08:00, or empty for none')
    .meta({ mayBeEmpty: true });

/** The name of a time zone, for example Europe/Lisbon. */
export const timeZone = () =>
  string().test('zone', 'must be a time zone such as Europe/Lisbon', (zone) =>
    holds(() => new Intl.DateTimeFormat(undefined, { timeZone: zone }).format() !== ''),
  );

/** Mail servers reject signatures with shorter RSA keys (RFC 8301). */
const RSA_MIN_BITS = 1024;

const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
const NAME = `(${LABEL}(?:\\.${LABEL})*)`;
const SIGNING_KEY = new RegExp(`^${NAME}\\._domainkey\\.${NAME}\\s+(-----BEGIN[^]*)$`, 'i');

/** Key of DKIM, with the two parts of its record's name. */
export interface DkimKey {
  readonly keySelector: string;
  readonly domainName: string;
  readonly privateKey: string;
}

/** Name of the DNS record, and below it an RSA key in PEM. In a variable, line breaks may be written as `\n`. */
export const dkimKey = () =>
  parsed(parseKey, 'must begin with the name of its DNS record, SELECTOR._domainkey.DOMAIN, and a line break').test(
    'key',
    `must have an RSA private key in PEM of at least ${RSA_MIN_BITS} bits below its first line`,
    (value) =>
      holds(() => {
        if (!value) return true;
        const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(value.privateKey);
        return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_MIN_BITS;
      }),
  );

function parseKey(text: string): DkimKey | undefined {
  const [, keySelector, domainName, privateKey] = SIGNING_KEY.exec(text.replaceAll('\\n', '\n')) ?? [];
  return keySelector && domainName && privateKey ? { keySelector, domainName, privateKey } : undefined;
}

/** Makes a setting required if one of the others is set, so that a partial configuration is rejected. */
export function requiredWith<T extends Schema>(schema: T, ...others: string[]): T {
  return schema.test('complete', `must be set, as ${others.join(' or ')} is`, (value, { parent }) => {
    return value !== undefined || others.every((name) => parent[name] === undefined);
  }) as T;
}

/** Whether a condition holds; false if it throws. */
export function holds(condition: () => boolean): boolean {
  try {
    return condition();
  } catch {
    return false;
  }
}

/** Address of the mail server. Nodemailer throws if user or password have a % that encodes nothing. */
export const mailServerUrl = () =>
  url('smtp://', 'smtps://')
    .test('login', 'must have %25 in place of each % in user and password', (value = '') =>
      holds(() => decodeURIComponent(/^\w+:\/\/([^/?#]*)@/.exec(value)?.[1] ?? '') !== undefined),
    )
    .matches(/^(?!smtp:.*:465(?:[/?]|$))/, 'must begin with smtps:// for port 465')
    .matches(/^(?!smtps:.*:(?:25|587)(?:[/?]|$))/, 'must begin with smtp:// for ports 25 and 587');
