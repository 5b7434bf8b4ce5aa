import { RESUME_MAX_BYTES } from './protocol.ts';
import { messages } from './messages.ts';

/** The format of a file is identified by so many first bytes, within which readers look for the header of a PDF. */
export const RESUME_HEAD_BYTES = 1024;

/** The format of a file by its first bytes; what a zip or a Compound File holds must be looked up inside it. */
export type ResumeFormat = 'pdf' | 'zip' | 'compound' | 'rtf' | 'word-xml';

/* oxlint-disable no-control-regex -- these are no texts */
/** The first bytes of Word documents; Word opens all of these under the extension .doc. */
const WORD_FORMATS: readonly (readonly [ResumeFormat, RegExp])[] = [
  ['zip', /^PK\x03\x04/],
  ['compound', /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/],
  ['rtf', /^(?:\xef\xbb\xbf)?\s*\{\\rt/],
  ['word-xml', /^(?:\xef\xbb\xbf)?\s*<\?xml[^]*(?:progid="Word\.Document"|<w:wordDocument)/],
];

/**
 * Printers, scanners and web servers write lines before the header of a PDF, which readers skip. A PDF without a header
 * is recognised by its objects.
 */
const PDF = /%PDF-|\b\d+ \d+ obj\b/;

/** The first bytes of programs, pictures, archives and web pages, which are refused whatever follows. */
const NO_PDF = [
  /^(?:MZ|\x7fELF|#!|\x89PNG|GIF8|BM|RIFF|\xff\xd8\xff|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|Rar!|7z\xbc\xaf|\x1f\x8b)/,
  /<(?:!doctype html|html|head|body|script|svg)\b/i,
];

/** Web pages, mail archives and very old documents, which Word opens but HR's other programs do not. */
const OTHER_DOCUMENT = /^(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html|MIME-Version:|\xffWPC|[\xdb\x9b]\xa5)/i;

/* oxlint-enable no-control-regex */

export function resumeFormat(head: Uint8Array): ResumeFormat | undefined {
  const text = String.fromCharCode(...head.subarray(0, RESUME_HEAD_BYTES));
  const word = WORD_FORMATS.find(([, signature]) => signature.test(text));
  if (word) return word[0];
  const pdfAt = text.search(PDF);
  return pdfAt >= 0 && !NO_PDF.some((other) => other.test(text.slice(0, pdfAt))) ? 'pdf' : undefined;
}

/**
 * The reason why a file cannot be a résumé, by its name, size and first bytes. The page checks before it sends, and the
 * service before it looks inside. The media type that a browser declares adds nothing to these.
 *
 * @param head the first bytes, where they could be read
 * @returns a message for the visitor, or undefined for a file that may be a résumé
 */
export function resumeProblem(
  file: { readonly name: string; readonly size: number },
  head?: Uint8Array,
): string | undefined {
  const { name, size } = file;
  if (size > RESUME_MAX_BYTES) return messages.resumeTooLarge;
  if (!/\.(?:pdf|docx?)\s*$/i.test(name)) return messages.resumeWrongType;
  if (size === 0) return messages.resumeEmpty;
  if (!head || resumeFormat(head)) return undefined;
  const text = String.fromCharCode(...head.subarray(0, 64));
  return /\.docx?\s*$/i.test(name) && OTHER_DOCUMENT.test(text) ? messages.resumeSaveAsPdf : messages.resumeWrongType;
}
