import { RESUME_MAX_BYTES } from './limits.ts';
import { messages } from './messages.ts';

/** So many first bytes of a file tell what it is: readers look for the header of a PDF that far. */
export const RESUME_HEAD_BYTES = 1024;

/** What a file is by its first bytes; what a zip or a Compound File holds takes a look into it. */
export type ResumeFormat = 'pdf' | 'zip' | 'compound' | 'rtf' | 'word-xml';

/* oxlint-disable no-control-regex -- these are no texts */
/** What a Word document begins with: Word opens all of these under the name .doc. */
const WORD_FORMATS: readonly (readonly [ResumeFormat, RegExp])[] = [
  ['zip', /^PK\x03\x04/],
  ['compound', /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/],
  ['rtf', /^(?:\xef\xbb\xbf)?\s*\{\\rt/],
  ['word-xml', /^(?:\xef\xbb\xbf)?\s*<\?xml[^]*(?:progid="Word\.Document"|<w:wordDocument)/],
];

/** Printers, scanners and web servers write lines before a PDF; readers skip them. Without a header, objects tell. */
const PDF = /%PDF-|\b\d+ \d+ obj\b/;

/** What is a program, a picture, an archive or a web page stays one, whatever follows. */
const NO_PDF = [
  /^(?:MZ|\x7fELF|#!|\x89PNG|GIF8|BM|RIFF|\xff\xd8\xff|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|Rar!|7z\xbc\xaf|\x1f\x8b)/,
  /<(?:!doctype html|html|head|body|script|svg)\b/i,
];

/** Web pages, mail archives and documents of long ago, which Word opens, and which HR's other programs do not. */
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
 * Why a file cannot be a résumé, as far as its name, size and first bytes tell: the page asks before it sends, the
 * service before it looks inside. The media type that a system declares says nothing that these do not say better.
 *
 * @param head the first bytes, where they could be read
 * @returns a message for the visitor, or undefined for a file that may be one
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
