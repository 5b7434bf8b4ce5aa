import fc from 'fast-check';

/** Any code point, also half a surrogate pair. fast-check's own unit `binary` computes for seconds in each file of tests. */
export const anyCharacter = fc.nat(0x10_ffff).map((point) => String.fromCodePoint(point));
