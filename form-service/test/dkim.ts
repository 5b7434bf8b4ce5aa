import { createHash, createVerify, type KeyObject } from 'node:crypto';

/** Tags of a DKIM signature and whether it is valid (RFC 6376, relaxed/relaxed). */
export interface DkimCheck {
  readonly tags: Readonly<Record<string, string>>;
  readonly bodyHolds: boolean;
  readonly headersHold: boolean;
}

/** Verifies the signature of a raw message with the public key. @returns undefined if there is none */
export function verifyDkim(message: string, publicKey: KeyObject): DkimCheck | undefined {
  const [, head = '', body = ''] = /^([^]*?)\r\n\r\n([^]*)$/.exec(message) ?? [];
  const fields = head.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const signature = fields.find((field) => /^dkim-signature:/i.test(field));
  if (signature === undefined) return undefined;
  const tags = tagsOf(signature);
  const signed = (tags['h'] ?? '')
    .split(':')
    .flatMap((name) => fields.filter((field) => nameOf(field) === name.trim().toLowerCase()).slice(-1));
  const own = relaxedField(signature).replace(/(;\s?b=)[^;]*/, '$1');
  const text = [...signed.map(relaxedField), own].join('\r\n');
  return {
    tags,
    bodyHolds: createHash('sha256').update(relaxedBody(body), 'latin1').digest('base64') === tags['bh'],
    headersHold: createVerify('RSA-SHA256')
      .update(text, 'latin1')
      .verify(publicKey, tags['b'] ?? '', 'base64'),
  };
}

function tagsOf(signature: string): Record<string, string> {
  const list = signature.slice(signature.indexOf(':') + 1).split(';');
  return Object.fromEntries(
    list.map((tag) => [tag.slice(0, tag.indexOf('=')).trim(), tag.slice(tag.indexOf('=') + 1).replace(/\s/g, '')]),
  );
}

const nameOf = (field: string) => field.slice(0, field.indexOf(':')).trim().toLowerCase();

const relaxedField = (field: string) =>
  `${nameOf(field)}:${field
    .slice(field.indexOf(':') + 1)
    .replace(/[ \t]+/g, ' ')
    .trim()}`;

const relaxedBody = (body: string) =>
  body
    .replace(/[ \t]+(?=\r\n)/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/(?:\r\n)*$/, '\r\n');
