declare module 'virtual:icon-sprite' {
  /** Address of the SVG sprite. */
  const url: string;
  export default url;
}

interface ImportMetaEnv {
  readonly SITE_URL?: string;
  readonly ANALYTICS_URL?: string;
  readonly SALES_INBOX?: string;
  readonly HR_INBOX?: string;
  readonly RETENTION_DAYS?: string;
}
