import { html, type Html } from '../../html.ts';
import { PALETTE } from './palette.ts';

/** Long words break, so that they do not widen their table. */
export const BREAKS = 'overflow-wrap:anywhere;word-wrap:break-word;word-break:break-word';

type ColourName = keyof typeof PALETTE;

/** The styles of texts. Every style is inline, since Outlook and Gmail read no other. */
const TEXTS = {
  kind: ['hue', 'margin:0 0 4px;font-size:14px;line-height:20px;font-weight:700'],
  title: ['ink', 'margin:0;font-size:26px;line-height:32px;font-weight:700'],
  section: ['ink', 'margin:0 0 10px;font-size:16px;line-height:24px;font-weight:700'],
  name: ['ink', 'margin:0;font-size:18px;line-height:26px;font-weight:700'],
  strong: ['ink', 'margin:0;font-size:16px;line-height:24px;font-weight:700'],
  line: ['ink', 'margin:0;font-size:16px;line-height:24px'],
  small: ['muted', 'margin:0;font-size:14px;line-height:20px'],
  link: ['hue', 'text-decoration:underline'],
} as const satisfies Record<string, readonly [ColourName, string]>;

/**
 * The class and the style of an element. The style is what most programs use; the class only turns its colours dark.
 */
export function styled(colours: readonly ColourName[], ...styles: readonly string[]): Html {
  const declared = colours.map((name) => `${PALETTE[name].property}:${PALETTE[name].light}`);
  return html`class="${colours.join(' ')}" style="${[...declared, ...styles].join(';')}"`;
}

export function textStyle(name: keyof typeof TEXTS): Html {
  const [colour, style] = TEXTS[name];
  return styled([colour], style);
}

/** The attributes of a table that only lays out. */
export const LAYOUT = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;

/** A table as wide as its container, whose columns long words do not widen. */
export const FULL_LAYOUT = html`${LAYOUT} width="100%" style="table-layout:fixed"`;

/** A visitor's value within a line, in its own direction. */
export const value = (text: string): Html => html`<span dir="auto">${text}</span>`;

/** A row of the card. */
export const row = (padding: string, inside: Html): Html =>
  html`<tr><td class="pad" style="padding:${padding};${BREAKS}">
${inside}
</td></tr>
`;

/** A highlighted cell, for a note that must not be overlooked. */
export function cautionCell(sentence: string): Html {
  const box = 'padding:12px 16px;border-left-width:4px;border-left-style:solid';
  const cell = styled(['caution', 'caution-edge', 'ink'], box, 'font-size:15px;line-height:22px', BREAKS);
  return html`<td ${cell}><strong>Note:</strong> ${sentence}</td>`;
}

/** A link that looks like a button. The cell has the colour too, because Outlook ignores the padding of a link. */
export function buttonCell(kind: 'action' | 'quiet', href: string, label: string): Html {
  const isAction = kind === 'action';
  const text = 'padding:11px 24px;font-size:16px;line-height:22px;font-weight:700;text-decoration:none';
  const link = styled([isAction ? 'on-signal' : 'ink'], 'display:block', text);
  const colour = isAction ? `background-color:${PALETTE.signal.light}` : `border:1px solid ${PALETTE.control.light}`;
  const outlook = isAction && html` bgcolor="${PALETTE.signal.light}"`;
  return html`<td align="center"${outlook} class="stack ${isAction ? 'signal' : 'control'}"
 style="${colour};border-radius:3px"><a href="${href}" ${link}>${outlookSpace(14)}${label}${outlookSpace(0)}</a></td>`;
}

/** Stands in for the padding in Outlook: a wide space on either side, the first one raised. */
const outlookSpace = (raise: number): Html =>
  html`<!--[if mso]><i style="mso-font-width:300%;mso-text-raise:${raise}px" hidden>&emsp;</i><![endif]-->`;
