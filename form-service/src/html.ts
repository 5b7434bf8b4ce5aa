/** A text that is HTML already. Only {@link html} makes it, and anything else is escaped. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }
}

type Part = Html | string | number | undefined | false | readonly Part[];

/** Fills a template: texts are escaped, lists are joined, and `undefined` and `false` are left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((before, after, index) => before + rendered(parts[index - 1]) + after));
}

function rendered(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.source;
  if (typeof part === 'object') return part.map(rendered).join('');
  return escaped(String(part));
}

/** A text as it stands in HTML, in an element or in a quoted attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
