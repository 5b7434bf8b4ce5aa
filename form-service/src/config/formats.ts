import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mixed, number, string, type Schema } from 'yup';
import { parseUsers, type InboxUser } from './inbox-users.ts';
import { parseRecipients, type Recipients } from './recipients.ts';

/** A URL with one of the schemes. A scheme that ends in `//` needs a host, and `file:` must not have one. */
export const url = (...schemes: string[]) =>
  string()
    .test('path', 'must have a path after file:, as in file:/var/x or file:x; after // comes a server', (value) => {
      return value === undefined || !/^file:\/\/(?!\/)/.test(value);
    })
    .test('url', `must be a URL that starts with ${schemes.join(' or ')}`, (value) => {
      const scheme = schemes.find((one) => value?.startsWith(one));
      if (value === undefined || scheme === undefined) return value === undefined;
      return scheme.endsWith('//')
        ? URL.canParse(value) && new URL(value).hostname !== ''
        : value.length > scheme.length;
    });

/** Where submissions are posted to. What a visitor sent goes over the network only by TLS. */
export const webhookUrl = () =>
  string().matches(
    /^(?:https:\/\/[^\s/]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)(?:\/\S*)?$/i,
    'must be a URL that starts with https://, or http:// on this machine',
  );

/** The key of a signature as Standard Webhooks write it, of 24 bytes or more. */
export const webhookSecret = () =>
  string().matches(
    /^(?:whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/,
    'must be 24 random bytes or more in base64, such as openssl rand -base64 32 prints',
  );

export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return number().typeError(message).integer(message).min(least, message).max(most, message);
};

export const port = (preset: number) => wholeNumber(0, 65_535).default(preset);

const MAILBOX = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/;

/** One e-mail address, without a display name. */
export const mailbox = () => string().matches(MAILBOX, 'must be one e-mail address without a display name');

export const domainName = () =>
  string().matches(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i, 'must be a domain name');

/** A host name (RFC 5321, 4.1.1.1), or an address in brackets. */
export const hostName = () =>
  string().matches(/^(?:(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*|\[[0-9a-f.:]+\])$/i, 'must be a host name');

/** The users of the inbox. */
export const inboxUsers = () =>
  mixed((value): value is readonly InboxUser[] => Array.isArray(value))
    .transform((value: unknown) => (typeof value === 'string' ? (parseUsers(value) ?? value) : value))
    .typeError('must be lines of name:role:hash, as "submissions inbox-user" writes them, each name once');

/** Who gets a service's enquiries or a position's applications. */
export const recipients = () =>
  mixed((value): value is Recipients => value instanceof Map)
    .transform((value: unknown) => (typeof value === 'string' ? (parseRecipients(value) ?? value) : value))
    .typeError('must be pairs of name = address with ; between them, each name once')
    .test('addresses', 'must name one e-mail address for each, without a display name', (value) =>
      [...(value?.values() ?? [])].every((address) => MAILBOX.test(address)),
    );

/** A time of the day, or an empty text for none. */
export const timeOfDay = () =>
  string()
    .matches(/^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/, 'must be a time such as 08:00, or empty for none')
    .meta({ mayBeEmpty: true });

/** The name of a time zone, for example Europe/Lisbon. */
export const timeZone = () =>
  string().test('zone', 'must be a time zone such as Europe/Lisbon', (zone) =>
    holds(() => new Intl.DateTimeFormat('en-GB', { timeZone: zone }).format() !== ''),
  );

export const certificateFile = () =>
  string().test('certificate', 'must name a readable file with a certificate in PEM', (path) =>
    holds(() => path === undefined || readFileSync(path, 'utf8').includes('-----BEGIN CERTIFICATE-----')),
  );

/** Receivers of signed mail refuse RSA keys of fewer bits (RFC 8301). */
const RSA_MIN_BITS = 1024;

/** An RSA key in PEM. In a variable its line breaks may be written as `\n`. */
export const rsaPrivateKey = () =>
  string()
    .transform((value: string | undefined) => value?.replaceAll('\\n', '\n'))
    .test('key', `must be an RSA private key in PEM of at least ${RSA_MIN_BITS} bits`, (value) =>
      holds(() => {
        if (!value) return true;
        const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(value);
        return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_MIN_BITS;
      }),
    );

/**
 * A setting that is required as soon as one of the others is set, so that half a configuration is not taken for a whole
 * one.
 */
export function requiredWith<T extends Schema>(schema: T, ...others: string[]): T {
  return schema.test('complete', `must be set, as ${others.join(' or ')} is`, (value, { parent }) => {
    return value !== undefined || others.every((name) => parent[name] === undefined);
  }) as T;
}

/** Whether something is so; not where it cannot be found out. */
function holds(condition: () => boolean): boolean {
  try {
    return condition();
  } catch {
    return false;
  }
}
