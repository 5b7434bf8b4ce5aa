/** Trailer entry of an encrypted PDF (ISO 32000-2, 7.5.5): a reference, or the dictionary itself. */
const ENCRYPT_ENTRY = /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/;

/** Marks at the end of a complete PDF (ISO 32000-2, 7.5.5). Readers need only one of them. */
const END_MARK = /startxref|%%EOF/;

/** Bytes of a chunk that are searched again with the next one. At least as long as any match. */
const OVERLAP_BYTES = 64;

/** Properties of a PDF that HR should know before opening it. */
export interface PdfTraits {
  /** Whether it is encrypted and may ask for a password. Many such files are only protected against changes. */
  readonly isEncrypted: boolean;
  /** Whether its end is missing. Most programs cannot open it. */
  readonly isCutOff: boolean;
}

/** Reads a PDF and finds its traits. */
export async function pdfTraits(content: AsyncIterable<Buffer>): Promise<PdfTraits> {
  let [isEncrypted, hasEnd] = [false, false];
  let rest = '';
  for await (const bytes of content) {
    const text = rest + bytes.toString('latin1');
    isEncrypted ||= ENCRYPT_ENTRY.test(text);
    hasEnd ||= END_MARK.test(text);
    if (isEncrypted && hasEnd) break;
    rest = text.slice(-OVERLAP_BYTES);
  }
  return { isEncrypted, isCutOff: !hasEnd };
}
