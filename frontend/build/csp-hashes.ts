import { createHash } from 'node:crypto';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export interface InlinedCode {
  /** What each page has in its `<style>`, by the file nginx serves, for example `/about.html`. */
  readonly styles: Readonly<Record<string, string>>;
  /** The boot, the same on every page. */
  readonly boot: string;
  /** The operator's analytics script, or ''. */
  readonly analyticsUrl: string;
}

/**
 * nginx maps that let the Content-Security-Policy allow what the build inlined, and nothing else. An analytics script,
 * when the operator configured one, may be loaded from its own origin and report to it.
 */
export function cspHashes({ styles, boot, analyticsUrl }: InlinedCode): string {
  const origin = analyticsUrl && new URL(analyticsUrl).origin;
  return [
    'map $uri $csp_style_hashes {',
    '  default "";',
    ...Object.entries(styles).map(([file, css]) => `  ${file} "${hash(css)}";`),
    '}',
    `map "" $csp_script_hashes { default "${[hash(boot), origin].filter(Boolean).join(' ')}"; }`,
    `map "" $csp_connect_origins { default "${origin}"; }`,
    '',
  ].join('\n');
}
