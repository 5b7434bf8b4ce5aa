import { createHash } from 'node:crypto';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Returns nginx maps that allow the inlined styles and script in the Content-Security-Policy, and nothing else. An
 * analytics script may be loaded from its own origin and report to it.
 *
 * @param styles content of the `<style>` of each page, by the file that nginx serves, such as `/about.html`
 * @param analyticsUrl address of the operator's analytics script, or ''
 */
export function cspHashes(styles: Readonly<Record<string, string>>, boot: string, analyticsUrl: string): string {
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
