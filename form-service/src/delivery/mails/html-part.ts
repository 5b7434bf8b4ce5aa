import { html, Html } from '../../html.ts';
import type { ContactLinks } from './contact-links.ts';
import {
  BREAKS,
  buttonCell,
  cautionCell,
  FULL_LAYOUT,
  LAYOUT,
  styled,
  row,
  textStyle,
  value,
} from './html-elements.ts';
import type { FileContent, MailContent } from './mail-content.ts';
import { darkRules, MASTHEAD } from './palette.ts';
import { visitorText } from './visitor-text.ts';

const WIDTH_PX = 600;

const FONT = "font-family:'Segoe UI',system-ui,-apple-system,Roboto,'Helvetica Neue',Arial,sans-serif";

/**
 * The styles that cannot be inline: the dark theme, and narrow screens, where the buttons stand one below the other.
 */
const STYLE_SHEET = `:root{color-scheme:light dark}
${darkRules()}
@media (max-width:480px){
.pad{padding-left:20px !important;padding-right:20px !important}
.wide{width:100% !important}
.stack{display:block !important;width:auto !important}
.gap{display:block !important;width:auto !important;height:12px}
}`;

/**
 * The HTML part, laid out by tables and inline styles, since Outlook for Windows renders with Word. It loads nothing. A
 * visitor's text can become neither markup nor a link; the buttons lead to the visitor's address and number only.
 */
export function renderHtml(content: MailContent, links: ContactLinks, preview: string): string {
  const { company, kind, title, notices, file, message, details } = content;
  const card = styled(
    ['card', 'edge'],
    `width:100%;max-width:${WIDTH_PX}px;table-layout:fixed;border-width:1px;border-style:solid`,
    FONT,
  );
  return `<!doctype html>\n${html`<html lang="en" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${kind}: ${title}</title>
<!--[if mso]><xml><o:OfficeDocumentSettings>
<o:PixelsPerInch>96</o:PixelsPerInch>
</o:OfficeDocumentSettings></xml><![endif]-->
<style>${new Html(STYLE_SHEET)}</style>
</head>
<body ${styled(['page'], 'margin:0;padding:0;-webkit-text-size-adjust:100%')}>
<div dir="auto" style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preview}</div>
<table ${LAYOUT} width="100%" ${styled(['page'], 'width:100%')}><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${LAYOUT} width="${WIDTH_PX}"><tr><td><![endif]-->
<table ${LAYOUT} width="100%" ${card}>
${masthead(company)}
${heading(kind, title)}
${notices.map(notice)}${person(content, links)}${buttons(links)}
${file && fileBox(file)}${message.text && messageBox(message)}${facts(details)}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`}`;
}

/**
 * The company's name above a kite's stripes. The mark is a character, because a picture would be blocked, or listed as
 * an attachment.
 */
function masthead(company: string): Html {
  const text = (colour: string, rest: string) => html`style="color:${colour};line-height:24px;${rest}"`;
  const stripes = MASTHEAD.stripes.map(
    ([colour, width]) =>
      html`<td width="${width}" height="5" bgcolor="${colour}" style="font-size:1px;line-height:5px">&nbsp;</td>`,
  );
  const night = html`bgcolor="${MASTHEAD.night}" style="background-color:${MASTHEAD.night};padding:16px 32px"`;
  return html`<tr><td class="pad" ${night}>
<span ${text(MASTHEAD.mark, 'font-size:14px')}>&#9670;</span>&nbsp;
<span ${text(MASTHEAD.name, 'font-size:16px;font-weight:700')}>${company}</span>
<span ${text(MASTHEAD.muted, 'font-size:16px')}>website</span>
</td></tr>
<tr><td style="padding:0"><table ${FULL_LAYOUT}><tr>${stripes}</tr></table></td></tr>`;
}

const heading = (kind: string, title: string): Html =>
  row('28px 32px 4px', html`<p ${textStyle('kind')}>${kind}</p>\n<h1 ${textStyle('title')}>${value(title)}</h1>`);

const notice = (sentence: string): Html =>
  row('16px 32px 0', html`<table ${FULL_LAYOUT}><tr>${cautionCell(sentence)}</tr></table>`);

/** The sender of the enquiry, at a glance. */
function person({ person: { name, email, phone } }: MailContent, { answer, call }: ContactLinks): Html {
  const number = call ? html`<a href="${call}" ${textStyle('link')}>${phone}</a>` : phone;
  return row(
    '20px 32px 0',
    html`<p ${textStyle('name')}>${value(name)}</p>
<p ${textStyle('line')}><a href="${answer}" ${textStyle('link')}>${email}</a></p>
${phone && html`<p ${textStyle('line')}><span dir="auto">${number}</span></p>`}`,
  );
}

/** The buttons to answer and to call. */
function buttons({ answer, call }: ContactLinks): Html {
  const gap = html`<td class="gap" width="12" style="font-size:1px;line-height:1px">&nbsp;</td>`;
  return row(
    '16px 32px 0',
    html`<table ${LAYOUT} class="wide"><tr>
${buttonCell('action', answer, 'Answer by email')}
${call && [gap, buttonCell('quiet', call, 'Call')]}
</tr></table>`,
  );
}

const section = (title: string, inside: Html, below = '0'): Html =>
  row(`28px 32px ${below}`, html`<h2 ${textStyle('section')}>${title}</h2>\n${inside}`);

function fileBox({ name, facts, notes }: FileContent): Html {
  const box = styled(['edge'], 'table-layout:fixed;border-width:1px;border-style:solid');
  return section(
    'File',
    html`<table ${LAYOUT} width="100%" ${box}>
<tr><td style="padding:12px 16px;${BREAKS}">
<p ${textStyle('strong')}>${value(name)}</p>
<p ${textStyle('small')}>${facts}</p>
</td></tr>
${notes.map((note) => html`<tr>${cautionCell(note)}</tr>\n`)}</table>`,
  );
}

function messageBox({ label, text }: MailContent['message']): Html {
  const box = 'padding:2px 0 2px 16px;border-left-width:3px;border-left-style:solid';
  const cell = styled(['quote', 'ink'], box, 'font-size:16px;line-height:25px;white-space:pre-wrap', BREAKS);
  return section(label, html`<table ${FULL_LAYOUT}><tr><td ${cell}>${visitorText(text)}</td></tr></table>`);
}

function facts(rows: MailContent['details']): Html {
  const text = 'font-size:15px;line-height:22px;font-weight:400;vertical-align:top';
  const cell = (colour: 'ink' | 'muted') =>
    styled([colour, 'edge'], 'padding:8px 0;border-top-width:1px;border-top-style:solid', text, BREAKS);
  const lines = rows
    .filter(([, fact]) => fact !== '')
    .map(
      ([label, fact]) => html`<tr><th scope="row" align="left" width="30%" ${cell('muted')}>${label}</th>
<td ${cell('ink')}>${value(fact)}</td></tr>
`,
    );
  const table = html`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">`;
  return section('Details', html`${table}${lines}</table>`, '32px');
}
