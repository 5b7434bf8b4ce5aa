/** Shapes of icons by name: all icons where pages are rendered, those of the forms in the browser. */
declare module 'virtual:icons' {
  import type { Shape } from '#builder/icons.ts';

  const icons: Readonly<Record<string, readonly Shape[]>>;
  export default icons;
}

/** Content of the files in `content/`, and its types, which follow from their schema. */
declare module 'virtual:content' {
  import type { Content } from '#builder/content/load-content.ts';

  export type * from '#builder/content/schema.ts';
  export const brand: Content['brand'];
  export const motif: Content['motif'];
  export const company: Content['company'];
  export const dialogForm: Content['dialogForm'];
  export const mailboxes: Content['mailboxes'];
  export const consent: Content['consent'];
  export const navigation: Content['navigation'];
  export const wording: Content['wording'];
  export const pages: Content['pages'];
  export const jobs: Content['jobs'];
}

/** Every picture of `content/images` by its name, such as `services/agentic-ai`. */
declare module 'virtual:images' {
  import type { ImageFacts } from '#builder/images.ts';

  const images: Readonly<Record<string, ImageFacts>>;
  export default images;
}

/** Whether the brand's motif is the kite, and the address of the display face, or ''. The build defines both. */
declare const HAS_KITES: boolean;
declare const FACE: string;
