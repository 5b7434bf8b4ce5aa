declare module 'virtual:icon-sprite' {
  /** Address of the SVG sprite. */
  const url: string;
  export default url;
}

declare module 'virtual:images' {
  import type { PageImage } from '../build/image-files.ts';
  /** Every picture of `content/images` by its name, such as `services/agentic-ai`. */
  const images: Readonly<Record<string, PageImage>>;
  export default images;
}

interface ImportMetaEnv {
  readonly SITE_URL?: string;
  readonly ANALYTICS_URL?: string;
  readonly SALES_INBOX?: string;
  readonly HR_INBOX?: string;
  readonly RETENTION_DAYS?: string;
}
