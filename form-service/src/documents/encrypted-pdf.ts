/** The trailer's entry of an encrypted PDF (ISO 32000-2, 7.5.5): a reference, or the dictionary itself. */
const ENTRY = /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/;

const ENTRY_MAX_BYTES = 64;

/**
 * Whether a PDF says that it is encrypted, so that it may ask for a password: many are only protected against changes.
 *
 * @param content the bytes of the file
 */
export async function isEncryptedPdf(content: AsyncIterable<Buffer>): Promise<boolean> {
  let end = '';
  for await (const bytes of content) {
    const text = end + bytes.toString('latin1');
    if (ENTRY.test(text)) return true;
    end = text.slice(-ENTRY_MAX_BYTES);
  }
  return false;
}
