/** What a message says, apart from how it is set. */
export interface MessageContent {
  readonly title: string;
  /** Things the reader must see first: why it was set aside, a missing file, macros, a scanner's finding. */
  readonly notices: readonly string[];
  /** Label and value, in order; empty values are left out. */
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** The visitor's own text, of several lines. */
  readonly quoted?: { readonly label: string; readonly text: string };
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** The plain text part. Values stand as the visitor typed them. */
export function renderText({ title, notices, rows, quoted }: MessageContent): string {
  const blocks = [
    title,
    notices.map((notice) => `NOTE: ${notice}`).join('\n'),
    filled(rows)
      .map(([label, value]) => `${label}: ${value}`)
      .join('\n'),
    quoted?.text ? `${quoted.label}:\n\n${quoted.text}` : '',
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

/**
 * The HTML part: no links, no pictures, no colours of its own, so that nothing of a visitor's text can be clicked and
 * dark mode works. `dir="auto"` lets each value run in its own direction without turning its surroundings.
 */
export function renderHtml({ title, notices, rows, quoted }: MessageContent): string {
  const notes = notices.map((notice) => `<p><strong>Note: ${escapeHtml(notice)}</strong></p>`);
  const list = filled(rows).map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(value)}</dd>`);
  const quote = quoted?.text ? [`<h2>${escapeHtml(quoted.label)}</h2>`, `<div class="quoted" dir="auto">${escapeHtml(quoted.text)}</div>`] : [];
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style></head><body>`,
    `<h1>${escapeHtml(title)}</h1>`,
    ...notes,
    `<dl>${list.join('\n')}</dl>`,
    ...quote,
    '</body></html>',
  ].join('\n');
}

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:1em}' +
  'h1{font-size:1.25em}h2{font-size:1em}dt{font-weight:600}dd{margin:0 0 .5em;unicode-bidi:isolate}.quoted{white-space:pre-wrap}';

const filled = (rows: MessageContent['rows']) => rows.filter(([, value]) => value !== '');
