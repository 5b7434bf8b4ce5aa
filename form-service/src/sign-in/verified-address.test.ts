import { describe, expect, it } from '@jest/globals';
import { lacksAddress, verifiedAddress, type Claims } from './verified-address.ts';

const iss = 'https://id.example';
const hana = 'hana@example.org';
const VERIFIED = { email: hana, email_verified: true };
const eve = 'eve@example.org';

describe('Verified address', () => {
  it.each<[token: Claims, userinfo: Claims | undefined, address: string | undefined]>([
    [VERIFIED, undefined, hana],
    [{ ...VERIFIED, email_verified: 'true' }, undefined, hana],
    ...[false, 'false', 'True', 1, {}, [true], null].map((value): [Claims, undefined, undefined] => [
      { ...VERIFIED, email_verified: value },
      undefined,
      undefined,
    ]),
    [{ ...VERIFIED, email: [hana] }, undefined, undefined],
    // From userinfo, if the token lacks one of them.
    [{}, VERIFIED, hana],
    [{ email: 'HANA@example.org' }, VERIFIED, hana],
    [{ email_verified: true }, VERIFIED, hana],
    [{ email: eve }, VERIFIED, undefined],
    [{ email: hana }, { email_verified: true }, undefined],
    [{ email_verified: true }, { ...VERIFIED, email_verified: false }, undefined],
    [VERIFIED, { ...VERIFIED, email: eve }, hana],
    [{ ...VERIFIED, email_verified: false }, VERIFIED, undefined],
  ])('is that of one document which has both claims > %j, %j', (token, userinfo, address) => {
    const result = verifiedAddress({ iss, ...token }, userinfo);
    expect('address' in result ? result.address : undefined).toBe(address);
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
