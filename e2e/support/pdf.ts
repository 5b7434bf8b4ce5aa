/** A valid PDF of one empty page, filled up to exactly this many bytes with a stream that no page shows. */
export function pdfOfSize(bytes: number): Buffer {
  const objects = (padding: string) => [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n',
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>\nendobj\n',
    `4 0 obj\n<< /Length ${padding.length} >>\nstream\n${padding}\nendstream\nendobj\n`,
  ];
  const header = '%PDF-1.7\n';
  const file = (padding: string) => {
    const offsets: number[] = [];
    let body = header;
    for (const object of objects(padding)) {
      offsets.push(body.length);
      body += object;
    }
    const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    return `${body}xref\n0 5\n0000000000 65535 f \n${entries}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  };
  // The padding's length is itself written in the file, and may take a digit more than estimated.
  let length = bytes - file('').length;
  while (length > 0 && file(pseudoRandomText(length)).length > bytes) length -= 1;
  const text = file(pseudoRandomText(length));
  return Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(bytes - text.length, '\n')]);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Text that does not repeat, so that a part sent twice or left out changes the file. */
function pseudoRandomText(length: number): string {
  const bytes = Buffer.alloc(Math.max(0, length));
  let state = 42;
  for (let index = 0; index < bytes.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = ALPHABET.charCodeAt(state >>> 26);
  }
  return bytes.toString('latin1');
}
