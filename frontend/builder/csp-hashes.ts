import { createHash } from 'node:crypto';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export interface InlinedCode {
  /** Content of the `<style>` of each page, by the file that nginx serves, such as `/about.html`. */
  readonly styles: Readonly<Record<string, string>>;
  /** Boot script, the same on every page. */
  readonly boot: string;
  /** Address of the operator's analytics script, or ''. */
  readonly analyticsUrl: string;
}

/**
 * Returns nginx maps that allow the inlined styles and script in the Content-Security-Policy, and nothing else. An
 * analytics script may be loaded from its own origin and report to it.
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
