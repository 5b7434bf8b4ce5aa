import { createPrivateKey } from 'node:crypto';
import { string, type StringSchema } from 'yup';

/** Key lengths below this are refused by receivers, in bits (RFC 8301). */
const KEY_MIN_BITS = 1024;

const NAMES = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'] as const;

/** Labels of letters, digits and inner dashes. */
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** Half a configuration would send unsigned mail that its operator believes signed. */
const withTheOthers = (schema: StringSchema) =>
  schema.test('complete', `must be set, as another of ${NAMES.join(', ')} is`, function isComplete(value) {
    const values = this.parent as Readonly<Record<string, unknown>>;
    return value !== undefined || NAMES.every((name) => values[name] === undefined);
  });

const domain = () => string().matches(DOMAIN, 'must be a domain name');

/** Variables of the DKIM signature: all three, or none. */
export const dkimSettings = {
  /** Domain that signs; that of MAIL_FROM or one above it. */
  DKIM_DOMAIN: withTheOthers(domain()),
  /** Where its public key is: the TXT record `<selector>._domainkey.<domain>`. */
  DKIM_SELECTOR: withTheOthers(domain()),
  /** RSA key in PEM; in a variable its line breaks may be written as `\n`. */
  DKIM_PRIVATE_KEY: withTheOthers(
    string()
      .transform((value: string | undefined) => value?.replaceAll('\\n', '\n'))
      .test('key', `must be an RSA private key in PEM of at least ${KEY_MIN_BITS} bits`, (value) => value === undefined || isUsableKey(value)),
  ),
};

function isUsableKey(pem: string): boolean {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= KEY_MIN_BITS;
  } catch {
    return false;
  }
}
