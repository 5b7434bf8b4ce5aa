import { createHash } from 'node:crypto';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * nginx settings that let the Content-Security-Policy allow what the build inlined, and nothing else. An analytics
 * script, when the operator configured one, may be loaded from its own origin.
 */
export function cspHashes({ css, boot, analyticsUrl }: { css: string; boot: string; analyticsUrl: string }): string {
  const analytics = analyticsUrl ? ` ${new URL(analyticsUrl).origin}` : '';
  return [
    `set $csp_style_hashes "${hash(css)}";`,
    `set $csp_script_hashes "${hash(boot)}${analytics}";`,
    `set $csp_connect_origins "${analytics.trim()}";`,
    '',
  ].join('\n');
}
