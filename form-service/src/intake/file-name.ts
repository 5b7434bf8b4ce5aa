import type { RESUME_EXTENSIONS } from '../contract/protocol.ts';

/** The longest file name that is passed on, in UTF-16 code units. */
const NAME_MAX_CHARS = 120;

/**
 * Control characters, bidi overrides, zero-width and other invisible format characters, line separators and lone
 * surrogates.
 */
const INVISIBLE =
  /[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|\p{Surrogate}/gu;

/** Characters with a meaning for a file system or a shell. */
const SPECIAL = /[<>:"|?*]/g;

/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * Makes a name that is safe on anybody's computer and in a mail header, in the visitor's own script: without path,
 * control and bidi characters or leading dot, of limited length, and with the extension that the content has.
 */
export function safeFileName(original: string, extension: (typeof RESUME_EXTENSIONS)[number]): string {
  const base = original
    .replace(/^.*[/\\]/s, '')
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(SPECIAL, '_');
  const trimmed = trim(base.replace(/\.(?:pdf|docx?)\s*$/i, ''));
  const stem = trim(shortened(trimmed, NAME_MAX_CHARS - extension.length)) || 'resume';
  return `${RESERVED.test(stem) ? '_' : ''}${stem}${extension}`;
}

function trim(name: string): string {
  return name
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '')
    .replace(/\s+/g, ' ');
}

/** Cuts between characters as a reader sees them, never inside one. */
function shortened(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let result = '';
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, maxChars + 50))) {
    if (result.length + segment.length > maxChars) break;
    result += segment;
  }
  return result;
}
