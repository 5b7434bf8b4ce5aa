/**
 * The brand's colours for mail programs, which know neither variables nor mixing: each colour is written out, after the
 * tokens of the site (frontend/src/styles/app.css). Light colours are inline, where Outlook and Gmail read them; a
 * class replaces them by the dark ones in programs that know the reader's preference.
 */
export const PALETTE = {
  page: { property: 'background-color', light: '#fbf8f3', dark: '#0d1424' },
  card: { property: 'background-color', light: '#ffffff', dark: '#151f36' },
  edge: { property: 'border-color', light: '#e4ddd1', dark: '#2b3752' },
  ink: { property: 'color', light: '#101b33', dark: '#eef1f6' },
  muted: { property: 'color', light: '#4a5468', dark: '#aab4c8' },
  hue: { property: 'color', light: '#0b5a94', dark: '#5fb6f0' },
  control: { property: 'border-color', light: '#7d7666', dark: '#6d7b9a' },
  quote: { property: 'border-color', light: '#0b6fb3', dark: '#5fb6f0' },
  signal: { property: 'background-color', light: '#c93616', dark: '#ff7a59' },
  'on-signal': { property: 'color', light: '#ffffff', dark: '#1c0a04' },
  caution: { property: 'background-color', light: '#fdf1df', dark: '#33281a' },
  'caution-edge': { property: 'border-color', light: '#b45309', dark: '#f0a54a' },
} as const;

/**
 * The colours of each mail's header, the same in both themes: the background, the text on it, and a kite's stripes with
 * their widths.
 */
export const MASTHEAD = {
  night: '#101b33',
  name: '#f6f2ea',
  muted: '#b9c3d6',
  mark: '#5fb6f0',
  stripes: [
    ['#0b6fb3', '46%'],
    ['#5ba5d9', '22%'],
    ['#0f766e', '18%'],
    ['#f1e7d4', '14%'],
  ],
} as const;

/**
 * The CSS rules of the dark theme. The second selector is for Outlook on the web, which rewrites the page and marks it.
 */
export function darkRules(): string {
  const rules = Object.entries(PALETTE).map(([name, { property, dark }]) => [name, `${property}:${dark} !important`]);
  const plain = rules.map(([name, rule]) => `.${name}{${rule}}`).join('');
  const outlook = rules.map(([name, rule]) => `[data-ogsc] .${name}{${rule}}`).join('');
  return `@media (prefers-color-scheme:dark){${plain}}${outlook}`;
}
