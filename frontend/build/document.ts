export interface DocumentParts {
  /** Tags of this page's head: title, description, social tags, structured data. */
  readonly head: string;
  /** Rendered application. */
  readonly body: string;
  /** `<style>` with the page's styles, or a link to it in development. */
  readonly styles: string;
  /** The boot script. It stands before the body, so that what it marks on the root element holds for the first paint. */
  readonly boot: string;
}

/** A page as one HTML document. */
export const document = ({ head, body, styles, boot }: DocumentParts) =>
  `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}${styles}${boot}</head><body>${body}</body></html>`;
