import { RESUME_MAX_BYTES } from './protocol.ts';
import type { messages } from './messages.ts';

/** Number of first bytes that identify a format. PDF readers look for the header within this range. */
export const RESUME_HEAD_BYTES = 1024;

/** Why a file is not accepted as a résumé: the key of the message for the visitor. */
export type ResumeProblem = Extract<keyof typeof messages, `resume${string}`>;

/** Format of a file by its first bytes. The type of document in a zip or Compound File only shows inside it. */
export type ResumeFormat = 'pdf' | 'zip' | 'compound' | 'rtf' | 'word-xml';

/* oxlint-disable no-control-regex -- binary signatures */
/** Signatures of Word documents. Word opens all of them under the extension .doc. */
const WORD_FORMATS: readonly (readonly [ResumeFormat, RegExp])[] = [
  ['zip', /^PK\x03\x04/],
  ['compound', /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/],
  ['rtf', /^(?:\xef\xbb\xbf)?\s*\{\\rt/],
  ['word-xml', /^(?:\xef\xbb\xbf)?\s*<\?xml[^]*(?:progid="Word\.Document"|<w:wordDocument)/],
];

/** Header of a PDF, or an object if the header is missing. Printers, scanners and web servers put lines before it. */
const PDF = /%PDF-|\b\d+ \d+ obj\b/;

/** Signatures of programs, pictures, archives and web pages. Such files are rejected even if a PDF header follows. */
const NO_PDF = [
  /^(?:MZ|\x7fELF|#!|\x89PNG|GIF8|BM|RIFF|\xff\xd8\xff|\xca\xfe\xba\xbe|[\xce\xcf]\xfa\xed\xfe|Rar!|7z\xbc\xaf|\x1f\x8b)/,
  /<(?:!doctype html|html|head|body|script|svg)\b/i,
];

/** Web pages, mail archives and very old documents, which only Word opens. */
const OTHER_DOCUMENT = /^(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html|MIME-Version:|\xffWPC|[\xdb\x9b]\xa5)/i;

/* oxlint-enable no-control-regex */

/**
 * Known extensions of other files: the visitor has chosen a wrong one. Any other end of a name says nothing, because phones
 * send names without an extension, or with a dot at their end.
 */
const OTHER_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'odt ott fodt pages numbers key rtf txt tex wpd wps xps epub dot dotx dotm docm xls xlsx xlsm ods csv ppt pptx odp ' +
    'html htm xhtml mht mhtml xml json svg eml msg jpg jpeg png gif bmp webp heic heif avif tif tiff psd eps mp3 mp4 mov ' +
    'zip rar 7z gz tar iso dmg apk jar exe msi scr bat cmd ps1 vbs js sh lnk url webloc gdoc'
  ).split(' '),
);

export function resumeFormat(head: Uint8Array): ResumeFormat | undefined {
  const text = String.fromCharCode(...head.subarray(0, RESUME_HEAD_BYTES));
  const word = WORD_FORMATS.find(([, signature]) => signature.test(text));
  if (word) return word[0];
  const pdfAt = text.search(PDF);
  return pdfAt >= 0 && !NO_PDF.some((other) => other.test(text.slice(0, pdfAt))) ? 'pdf' : undefined;
}

/**
 * Checks name, size and first bytes of a résumé. Its content decides; its name can only refuse it. The page checks before
 * it sends, and the service before it inspects the file. The media type that a browser declares adds no information.
 *
 * @param head first bytes, if they could be read
 * @returns undefined if the file may be a résumé
 */
export function resumeProblem(
  file: { readonly name: string; readonly size: number },
  head?: Uint8Array,
): ResumeProblem | undefined {
  const { name, size } = file;
  if (size > RESUME_MAX_BYTES) return 'resumeTooLarge';
  if (OTHER_EXTENSIONS.has(/\.(\w+)\s*$/.exec(name)?.[1]?.toLowerCase() ?? '')) return 'resumeWrongType';
  if (size === 0) return 'resumeEmpty';
  if (!head || resumeFormat(head)) return undefined;
  const text = String.fromCharCode(...head.subarray(0, 64));
  return /\.docx?\s*$/i.test(name) && OTHER_DOCUMENT.test(text) ? 'resumeSaveAsPdf' : 'resumeWrongType';
}
