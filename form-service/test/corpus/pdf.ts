/** A small PDF that a reader opens, filled up to a size when one is given. */
export function pdf(sizeBytes?: number): Buffer {
  const head = Buffer.from('%PDF-1.4\n%\u00e2\u00e3\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n', 'latin1');
  const tail = Buffer.from(`xref\n0 1\n0000000000 65535 f \ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n${head.length}\n%%EOF\n`);
  if (sizeBytes === undefined) return Buffer.concat([head, tail]);
  const filling = Buffer.alloc(sizeBytes - head.length - tail.length, '% filling\n');
  return Buffer.concat([head, filling, tail]);
}
