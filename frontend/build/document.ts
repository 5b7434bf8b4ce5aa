import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What differs from page to page. */
export interface Rendered {
  /** Tags of the head: title, description, social tags, structured data. */
  readonly head: string;
  readonly body: string;
}

/** The template of every document. As it stands, its style sheet and its boot are links to their sources. */
export const readTemplate = () => readFileSync(join(import.meta.dirname, '../index.html'), 'utf8');

/** The template as it is served: nothing between the tags, and style sheet and boot within the page. */
export const inline = (template: string, styles: string, boot: string) =>
  template
    .replaceAll(/\n\s*| \/(?=>)/g, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${styles}</style>`)
    .replace(/<script type="module"[^>]*><\/script>/, () => `<script>${boot}</script>`);

/** A page as one HTML document. */
export const fill = (template: string, { head, body }: Rendered) =>
  template.replace('<!--head-->', () => head).replace('<!--body-->', () => body);
