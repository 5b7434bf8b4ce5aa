/** The shapes of icons by their names: all where pages are rendered, those of the forms in the browser. */
declare module 'virtual:icons' {
  import type { Shape } from '#build/icons.ts';

  const icons: Readonly<Record<string, readonly Shape[]>>;
  export default icons;
}

/** What the files in `content/` say, and its types, which follow from their schema. */
declare module 'virtual:content' {
  import type { Content } from '#build/content/load-content.ts';

  export type * from '#build/content/schema.ts';
  export const company: Content['company'];
  export const consent: Content['consent'];
  export const navigation: Content['navigation'];
  export const pages: Content['pages'];
  export const jobs: Content['jobs'];
}

/** Every picture of `content/images` by its name, such as `services/agentic-ai`. */
declare module 'virtual:images' {
  import type { PageImage } from '#build/image-files.ts';

  const images: Readonly<Record<string, PageImage>>;
  export default images;
}

/** The colour of the paper that all pages are on (`--color-paper`), put in by the build. */
declare const PAPER: Readonly<Record<'light' | 'dark', string>>;
