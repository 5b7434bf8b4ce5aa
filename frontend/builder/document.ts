import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALE } from '../../form-service/src/contract/locale.ts';
import type { RenderedPage } from '../src/app/render.tsx';
import { FRONTEND } from './paths.ts';

/** Reads the template of every document, which links its style sheet and boot script as sources. */
export const readTemplate = () => readFileSync(join(FRONTEND, 'index.html'), 'utf8').replace('{language}', LOCALE);

/** Removes the space between tags, and inlines style sheet and boot script. */
export const inline = (template: string, styles: string, boot: string) =>
  template
    .replaceAll(/\n\s*| \/(?=>)/g, '')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${styles}</style>`)
    .replace(/<script type="module"[^>]*><\/script>/, () => `<script>${boot}</script>`);

/** Fills the template with head and body of a page. */
export const fill = (template: string, { head, body }: Pick<RenderedPage, 'head' | 'body'>) =>
  template.replace('<!--head-->', () => head).replace('<!--body-->', () => body);
