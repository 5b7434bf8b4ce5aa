/** The shapes of icons by their names: all where pages are rendered, those of the forms in the browser. */
declare module 'virtual:icons' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- a declared module imports nothing by a relative path
  const icons: Readonly<Record<string, readonly import('../build/icons.ts').Shape[]>>;
  export default icons;
}

/** What the files in `content/` say, and its types, which follow from their schema. */
declare module 'virtual:content' {
  /* oxlint-disable typescript/consistent-type-imports -- a declared module imports nothing by a relative path */
  type Content = import('../build/content/load-content.ts').Content;
  export type Text = import('../build/content/markdown.ts').Text;
  export type Clause = import('../build/content/markdown-body.ts').Clause;
  export type Page = import('../build/content/schema.ts').Page;
  export type Job = import('../build/content/schema.ts').Job;
  export type Section = import('../build/content/schema.ts').Section;
  export type SectionOf<Kind extends Section['kind']> = import('../build/content/schema.ts').SectionOf<Kind>;
  export type Hero = import('../build/content/schema.ts').Hero;
  export type Feature = import('../build/content/schema.ts').Feature;
  export type EngagementModel = import('../build/content/schema.ts').EngagementModel;
  export type Action = import('../build/content/schema.ts').Action;
  export type Picture = import('../build/content/schema.ts').Picture;
  export type Stat = import('../build/content/schema.ts').Stat;
  export type Link = import('../build/content/schema.ts').Link;
  export type Dropdown = import('../build/content/schema.ts').Dropdown;
  export type IconName = import('../build/icons.ts').IconName;
  /* oxlint-enable typescript/consistent-type-imports */
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
