import { describe, expect, it } from '@jest/globals';
import { lacksAddress, verifiedAddress, type Claims } from './verified-address.ts';

const iss = 'https://id.example';
const hana = 'hana@example.org';
const NOTHING = Symbol('a missing claim');

/** A document with these claims; a missing claim is left out. */
const document = (email: unknown, isVerified: unknown): Claims => ({
  ...(email !== NOTHING && { email }),
  ...(isVerified !== NOTHING && { email_verified: isVerified }),
});
const emails = [NOTHING, null, hana, 'HANA@example.org', 'eve@example.org', 1, ['hana@example.org']];
const values = [NOTHING, null, true, 'true', false, 'false', 'True', 1, 0, '', {}, [true]];
const documents = emails.flatMap((email) => values.map((value) => document(email, value)));

const confirms = ({ email, email_verified: isVerified }: Claims) =>
  typeof email === 'string' && (isVerified === true || isVerified === 'true');

describe('Verified address', () => {
  it('is that of one document which has both claims > all combinations', () => {
    for (const token of documents)
      for (const userinfo of [undefined, ...documents]) {
        const [hasEmail, hasValue] = [(token['email'] ?? null) !== null, (token['email_verified'] ?? null) !== null];
        const isFromToken = (hasEmail && hasValue) || userinfo === undefined;
        const source = isFromToken ? token : userinfo;
        const isSame =
          isFromToken || !hasEmail || String(token['email']).toLowerCase() === String(source['email']).toLowerCase();
        const expected = confirms(source) && isSame ? source['email'] : undefined;
        const result = verifiedAddress({ iss, ...token }, userinfo);
        expect([token, userinfo, 'address' in result ? result.address : undefined]).toEqual([
          token,
          userinfo,
          expected,
        ]);
      }
  });

  const google = { iss: 'https://accounts.google.com', email_verified: true };
  const microsoft = { iss: 'https://login.microsoftonline.com/0f0e/v2.0', email: hana };

  it.each([
    [{ ...google, email: 'hana@gmail.com' }, 'hana@gmail.com'],
    [{ ...google, email: hana, hd: 'example.org' }, hana],
    [{ ...google, email: hana }, undefined],
    [{ ...google, email: hana, hd: 'evil.example' }, undefined],
    [{ ...microsoft, preferred_username: 'h@example.org' }, 'h@example.org'],
    [{ ...microsoft, email_verified: true }, undefined],
    [{ ...microsoft, preferred_username: hana, idp: 'https://sts.windows.net/evil/' }, undefined],
  ])('of %j is %s', (claims, address) => {
    const result = verifiedAddress(claims, undefined);
    expect('address' in result ? result.address : undefined).toBe(address);
  });

  it('of Microsoft is never one of userinfo', () => {
    expect(lacksAddress(microsoft)).toBe(false);
    expect(verifiedAddress(microsoft, { preferred_username: 'eve@example.org' })).toEqual({
      why: 'preferred_username is missing',
    });
  });
});
