import { createCipheriv, createHash } from 'node:crypto';

/** Builds a small valid PDF, padded to a size if one is given. */
export function pdf(sizeBytes?: number): Buffer {
  const head = Buffer.from('%PDF-1.4\n%\u00e2\u00e3\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n', 'latin1');
  const tail = Buffer.from(`xref\n0 1\n0000000000 65535 f \ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n${head.length}\n%%EOF\n`);
  if (sizeBytes === undefined) return Buffer.concat([head, tail]);
  const filling = Buffer.alloc(sizeBytes - head.length - tail.length, '% filling\n');
  return Buffer.concat([head, filling, tail]);
}

/** Builds a PDF that is marked as encrypted by object 2, padded to a size with text that resembles this object. */
export function hostilePdf(sizeBytes: number): Buffer {
  const whole = withBeforeTrailer(Buffer.alloc(sizeBytes - pdf().length - 16, '12 0 obj'));
  return Buffer.from(whole.toString('latin1').replace('trailer<<', 'trailer<</Encrypt 2 0 R'), 'latin1');
}

function withBeforeTrailer(more: Buffer): Buffer {
  const whole = pdf();
  const at = whole.indexOf('xref');
  return Buffer.concat([whole.subarray(0, at), more, whole.subarray(at)]);
}

/** Builds a PDF of exactly this size with a pseudorandom stream, so that any lost, repeated or swapped part changes it. */
export function pdfOfSize(sizeBytes: number, seed = ''): Buffer {
  const around = (stream: string) => withBeforeTrailer(Buffer.from(`4 0 obj<</Length ${String(stream.length).padStart(9, '0')}>>stream\n${stream}\nendstream endobj\n`));
  const key = createHash('md5').update(seed).digest();
  const noise = createCipheriv('aes-128-ctr', key, key).update(Buffer.alloc(sizeBytes / 2)).toString('hex');
  return around(noise.padEnd(sizeBytes, '0').slice(0, sizeBytes - around('').length));
}
