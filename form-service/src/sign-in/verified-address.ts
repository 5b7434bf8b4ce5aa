/** Claims of an ID token, or of the provider's userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** The address that the issuer has verified, or the reason why there is none. */
export type Verified = { readonly address: string } | { readonly why: string };

/** Microsoft's issuer of one tenant. */
const MICROSOFT = /^https:\/\/login\.(?:partner\.)?microsoftonline\.(?:com|us|cn)\//;
const GOOGLE = 'https://accounts.google.com';

const isMissing = (claim: unknown) => claim === undefined || claim === null;

/** Whether userinfo must be asked, because the ID token lacks the address or its verification. */
export const lacksAddress = ({ iss, email, email_verified: isVerified }: Claims): boolean =>
  !(typeof iss === 'string' && MICROSOFT.test(iss)) && (isMissing(email) || isMissing(isVerified));

/**
 * Returns the address that the issuer has verified. Address and verification come from one document: the ID token, or
 * userinfo if the ID token lacks one of them.
 */
export function verifiedAddress(token: Claims, userinfo: Claims | undefined): Verified {
  if (!userinfo || !lacksAddress(token)) return addressOf(token);
  const found = addressOf({ ...userinfo, iss: token['iss'] });
  const named = token['email'];
  const isOther =
    'address' in found && !isMissing(named) && String(named).toLowerCase() !== found.address.toLowerCase();
  return isOther ? { why: 'email differs' } : found;
}

/**
 * Returns the verified address of one document.
 *
 * - Some providers write the boolean as the text `"true"`.
 * - Google also verifies addresses of other domains, once; only those of Gmail and of a Workspace (`hd`) are its own.
 * - Microsoft has no `email_verified`, and anybody can set `email` in a tenant of their own (nOAuth). The user name in the
 *   one tenant is in a domain that the tenant owns. Guests, whose `idp` is another, bring names of other tenants.
 */
function addressOf(claims: Claims): Verified {
  const { iss, email, email_verified: isVerified, hd, idp = iss, preferred_username: userName } = claims;
  if (typeof iss === 'string' && MICROSOFT.test(iss)) {
    if (idp !== iss) return { why: 'guest of the tenant' };
    return typeof userName === 'string' ? { address: userName } : { why: 'preferred_username is missing' };
  }
  if (typeof email !== 'string') return { why: 'email is missing' };
  if (isMissing(isVerified)) return { why: 'email_verified is missing' };
  if (isVerified !== true && isVerified !== 'true') return { why: 'email_verified is false' };
  const domain = email.split('@')[1]?.toLowerCase();
  if (iss === GOOGLE && domain !== 'gmail.com' && domain !== hd) return { why: 'domain is not of the Workspace' };
  return { address: email };
}
