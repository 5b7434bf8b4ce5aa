declare module 'virtual:icon-sprite' {
  /** Address of the SVG sprite. */
  const url: string;
  export default url;
}

/** What the files in `content/` say. */
declare module 'virtual:content' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- a declared module imports nothing by a relative path
  type Content = import('../build/content/load-content.ts').Content;
  export const company: Content['company'];
  export const consent: Content['consent'];
  export const navigation: Content['navigation'];
  export const pages: Content['pages'];
  export const jobs: Content['jobs'];
}

/** Every picture of `content/images` by its name, such as `services/agentic-ai`. */
declare module 'virtual:images' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- a declared module imports nothing by a relative path
  const images: Readonly<Record<string, import('../build/image-files.ts').PageImage>>;
  export default images;
}

/** The colour of the paper that all pages are on (`--color-paper`), put in by the build. */
declare const PAPER: Readonly<Record<'light' | 'dark', string>>;
