import { number, string } from 'yup';

/** A URL of one of the schemes; one that ends in `//` needs a host. */
export const url = (...schemes: string[]) =>
  string().test('url', `must be a URL that starts with ${schemes.join(' or ')}`, (value) => {
    const scheme = schemes.find((one) => value?.startsWith(one));
    if (value === undefined || scheme === undefined) return value === undefined;
    return scheme.endsWith('//') ? URL.canParse(value) && new URL(value).hostname !== '' : value.length > scheme.length;
  });

export const whole = (least: number, most = Number.MAX_SAFE_INTEGER) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return number().typeError(message).integer(message).min(least, message).max(most, message);
};

export const port = (preset: number) => whole(0, 65_535).default(preset);

/** One address, as it stands in an envelope. */
export const mailbox = () => string().matches(/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/, 'must be one e-mail address without a display name');

/** Something that nobody may guess. */
export const secret = (least = 32) => string().min(least, `must have ${least} characters or more`);
