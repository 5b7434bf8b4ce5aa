import type { RESUME_EXTENSIONS } from '../contract/protocol.ts';

/** Maximum length of a stored file name, in UTF-16 code units. */
const NAME_MAX_CHARS = 120;

/** Maximum length that is processed. File systems allow 255 characters; a hostile client can send 16,000. */
const ORIGINAL_MAX_CHARS = 1_000;

/** Control characters, bidi overrides, invisible format characters, line separators and lone surrogates. */
const INVISIBLE =
  /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|\p{Surrogate}/gu;

/** Characters that are special to a file system or a shell. */
const SPECIAL = /[<>:"|?*]/g;

/**
 * Returns a file name that is safe in file systems and mail headers (path traversal, header injection), in the visitor's
 * own script. The extension is that of the content.
 */
export function safeFileName(original: string, extension: (typeof RESUME_EXTENSIONS)[number]): string {
  const base = original
    .slice(-ORIGINAL_MAX_CHARS)
    .replace(/^.*[/\\]/s, '')
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(SPECIAL, '_');
  const trimmed = trim(base.replace(/\.(?:pdf|docx?)\s*$/i, ''));
  const stem = trim(shorten(trimmed, NAME_MAX_CHARS - extension.length)) || 'file';
  return stem + extension;
}

function trim(name: string): string {
  // The lookbehind keeps the pattern linear: it tries each run of dots and blanks once.
  return name.replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '').replace(/\s+/g, ' ');
}

/** Shortens a text at a grapheme boundary. */
function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let result = '';
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, maxChars + 50))) {
    if (result.length + segment.length > maxChars) break;
    result += segment;
  }
  return result;
}
