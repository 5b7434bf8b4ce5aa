import { readFileSync } from 'node:fs';
import { LOCALE } from '../contract/locale.ts';
import { templateText } from '../contract/service-words.ts';

/** Values of the slots, by name. A section shows nothing for `false`, `null`, `undefined`, `''` and `[]`. */
export type Values = Readonly<Record<string, unknown>>;

/** Fills a template. */
export type Fill = (values: Values) => string;

const SLOT = /\{\{([#/]?[\w.]+)\}\}/;
/** A text of `wording.yaml`, and the values in its places. */
const TEXT = /\{\{wording\.([\w.]+)\}\}((?:\{\{@(\w+)\}\}[^]*?\{\{\/@\3\}\})*)/g;
const PLACE = /\{\{@(\w+)\}\}([^]*?)\{\{\/@\1\}\}/g;
/** A line with only a section tag; its line break is removed. */
const SECTION_LINE = /^[ \t]*(\{\{[#/][\w.]+\}\})[ \t]*\n/gm;
/** A comment for editors of the file, in lines of its own. */
const COMMENT = /^<!-- [^]*?-->\n/gm;

/**
 * Reads a template of HTML (`.html`) or text:
 *
 * - `{{name}}`: the value, escaped for its context (XSS); `{{.}}`: the item of a list of texts;
 * - `{{#name}} ... {{/name}}`: repeated for each item of a list; shown once for any other value, unless it is empty.
 *   The values of an item can be used inside;
 * - `{{wording.key}}`: a text of `wording.yaml`. Its place `{name}` is the slot `{{name}}`, or what follows the text as
 *   `{{@name}} ... {{/@name}}`. In a template of text its lines are at most 72 characters long;
 * - `{{language}}`: the language of all texts.
 *
 * @param frame file whose line `{{content}}` is replaced by the template
 * @param prepare changes the source before its slots are read
 * @throws when filled: if a slot is in a context where no value is safe, or if a value is missing
 */
export function readTemplate(url: URL, frame?: URL, prepare = (source: string) => source): Fill {
  const [before = '', after = ''] = frame ? readFileSync(frame, 'utf8').split('{{content}}\n') : [];
  const isHtml = url.pathname.endsWith('.html');
  const source = prepare(`${before}${readFileSync(url, 'utf8')}${after}`)
    .replace(COMMENT, '')
    .replace(SECTION_LINE, '$1')
    .replace('{{language}}', LOCALE);
  // The texts are read at the first use, not when a module is imported.
  let fill: Fill | undefined;
  return (values) => (fill ??= compileTemplate(source, url.pathname, isHtml))(values);
}

function compileTemplate(source: string, path: string, isHtml: boolean): Fill {
  const parts = withTexts(source, isHtml ? escapeText : wrapped).split(SLOT);
  const escaperAt = isHtml ? htmlEscaperAt : () => (text: string) => text;
  let compiled = '';

  /** Compiles up to the end of the section or the file. */
  function compile(section?: string): Fill {
    const fills: Fill[] = [];
    for (;;) {
      const text = parts.shift() ?? '';
      compiled += text;
      fills.push(() => text);
      const slot = parts.shift();
      if (slot === (section && `/${section}`)) return (values) => fills.map((fill) => fill(values)).join('');
      if (slot === undefined || slot.startsWith('/'))
        throw new Error(`${path}: the section ${section ?? slot} has no matching tag`);
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

/** Puts the texts in place of their slots. */
function withTexts(source: string, shown: (text: string) => string): string {
  return source.replace(TEXT, (_, key: string, places: string) => {
    const inPlace = new Map([...places.matchAll(PLACE)].map(([, name, part = '']) => [name, withTexts(part, shown)]));
    return shown(templateText(key)).replace(/\{(\w+)\}/g, (_, name: string) => inPlace.get(name) ?? `{{${name}}}`);
  });
}

const escapeText = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const wrapped = (text: string) => text.replace(/(?!.{1,72}$)(.{1,72}) /g, '$1\n');

function single(name: string, escape: (text: string) => string): Fill {
  return (values) => escape(String(valueOf(values, name) ?? ''));
}

function valueOf(values: Values, name: string): unknown {
  if (!Object.hasOwn(values, name)) throw new Error(`There is no value for the slot ${name}.`);
  return values[name];
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null || value === false || value === '' ? [] : [value];
}

/** Returns the escape function for a slot that follows this part of an HTML file. */
function htmlEscaperAt(before: string): (text: string) => string {
  const tag = before.slice(before.lastIndexOf('<'));
  const [, attribute, prefix] = /\s([\w-]+)="([^"<>]*)$/.exec(tag) ?? [];
  const isInTag = before.lastIndexOf('<') > before.lastIndexOf('>');
  if (before.lastIndexOf('<!--') > before.lastIndexOf('-->') || /^<(?:style|script)\b/i.test(tag))
    throw new Error(`A slot is not allowed in a comment, a style sheet or a script: ${tag}`);
  if (isInTag && (attribute === undefined || /^(?:style|on.*)$/i.test(attribute)))
    throw new Error(`A slot is not allowed in a tag outside a quoted value: ${tag}`);
  if (isInTag && /^(?:href|src|(?:form)?action)$/i.test(attribute ?? ''))
    return prefix ? encodeURIComponent : harmlessUrl;
  // Line breaks need no <br> in these elements and in attributes. A lone CR counts as a line break in HTML, so CRLF
  // would show two.
  return isInTag || /^<(?:textarea|title)\b/i.test(tag)
    ? escapeHtml
    : (text) => escapeHtml(text).replace(/\r\n?|\n/g, '<br>');
}

/** Escapes a URL of a page, a mail address or a telephone number. Rejects others, such as `javascript:`. */
function harmlessUrl(url: string): string {
  if (!/^(?:https?:|mailto:|tel:|\/(?!\/)|#)/i.test(url))
    throw new Error('A link must be an http(s), mailto or tel URL, a path or a fragment.');
  return escapeHtml(url);
}

/** Escapes a text for an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
