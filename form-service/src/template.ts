import { readFileSync } from 'node:fs';

/** What fills the slots of a template, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Fills a template. */
export type Fill = (values: Values) => string;

const SLOT = /\{\{([#/]?[\w.]+)\}\}/;
/** A line that holds the begin or the end of a section alone leaves nothing behind. */
const SECTION_LINE = /^[ \t]*(\{\{[#/][\w.]+\}\})[ \t]*\n/gm;
/** A comment for whoever edits the file, from the begin of a line to the end of one. */
const COMMENT = /^<!-- [^]*?-->\n/gm;

/**
 * Reads a template, a file of HTML (`.html`) or text with slots:
 *
 * - `{{name}}` is the value of that name, escaped for the place where it stands; `{{.}}` the item of a list of texts;
 * - `{{#name}} ... {{/name}}` stands once for each item of a list, and once or not at all for any other value; the
 *   values of an item are named within.
 *
 * @param frame a file that has the template in place of its line `{{content}}`
 * @throws when a slot stands where nothing can be escaped safely; and, when it is filled, for a name without a value
 */
export function readTemplate(url: URL, frame?: URL): Fill {
  const [before = '', after = ''] = frame ? readFileSync(frame, 'utf8').split('{{content}}\n') : [];
  const source = `${before}${readFileSync(url, 'utf8')}${after}`.replace(COMMENT, '').replace(SECTION_LINE, '$1');
  const parts = source.split(SLOT);
  const escaperAt = url.pathname.endsWith('.html') ? htmlEscaperAt : () => (text: string) => text;
  let compiled = '';

  /** Compiles up to the end of a section, or of the file. */
  function compile(section?: string): Fill {
    const fills: Fill[] = [];
    for (;;) {
      const text = parts.shift() ?? '';
      compiled += text;
      fills.push(() => text);
      const slot = parts.shift();
      if (slot === (section && `/${section}`)) return (values) => fills.map((fill) => fill(values)).join('');
      if (slot === undefined || slot.startsWith('/')) throw new Error(`${url.pathname}: ${section ?? slot} has no end`);
      fills.push(slot.startsWith('#') ? repeat(slot.slice(1)) : single(slot, escaperAt(compiled)));
    }
  }

  function repeat(name: string): Fill {
    const inside = compile(name);
    return (values) =>
      itemsOf(valueOf(values, name))
        .map((item) => inside(typeof item === 'object' ? { ...values, ...item } : { ...values, '.': item }))
        .join('');
  }

  return compile();
}

function single(name: string, escape: (text: string) => string): Fill {
  return (values) => escape(String(valueOf(values, name) ?? ''));
}

function valueOf(values: Values, name: string): unknown {
  if (!Object.hasOwn(values, name)) throw new Error(`A template has the slot ${name}, and there is no such value.`);
  return values[name];
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null || value === false || value === '' ? [] : [value];
}

/** How a value is escaped behind this much of an HTML file. */
function htmlEscaperAt(before: string): (text: string) => string {
  const tag = before.slice(before.lastIndexOf('<'));
  const [, attribute, prefix] = /\s([\w-]+)="([^"<>]*)$/.exec(tag) ?? [];
  const isInTag = before.lastIndexOf('<') > before.lastIndexOf('>');
  if (before.lastIndexOf('<!--') > before.lastIndexOf('-->') || /^<(?:style|script)\b/i.test(tag))
    throw new Error(`A slot stands in a comment, a style sheet or a script: ${tag}`);
  if (isInTag && (attribute === undefined || /^(?:style|on.*)$/i.test(attribute)))
    throw new Error(`A slot stands in a tag and not in a quoted value: ${tag}`);
  if (isInTag && /^(?:href|src|action)$/i.test(attribute ?? '')) return prefix ? encodeURIComponent : harmlessUrl;
  // Within these two a line break is one already, and within a tag it is part of the value.
  return isInTag || /^<(?:textarea|title)\b/i.test(tag) ? escaped : (text) => escaped(text).replaceAll('\n', '<br>');
}

/** A whole address, which may lead to a page, a person or a telephone, and may run nothing. */
function harmlessUrl(url: string): string {
  if (!/^(?:https?:|mailto:|tel:|\/(?!\/)|#)/i.test(url)) throw new Error('A link would lead to something else.');
  return escaped(url);
}

/** A text as it stands in HTML, in an element or in a quoted attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
