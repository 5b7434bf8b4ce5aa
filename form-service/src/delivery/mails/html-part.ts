import { html, Html } from '../../submissions/pages/html.ts';
import type { ContactLinks } from './contact-links.ts';
import type { FileContent, MailContent } from './mail-content.ts';
import { darkRules, MASTHEAD, PALETTE } from './palette.ts';
import { visitorText } from './visitor-text.ts';

const FONT = "font-family:'Segoe UI',system-ui,-apple-system,Roboto,'Helvetica Neue',Arial,sans-serif";

/** Long words break rather than widen the table that holds them. */
const BREAKS = 'overflow-wrap:anywhere;word-wrap:break-word;word-break:break-word';

const WIDTH_PX = 600;

type ColourName = keyof typeof PALETTE;

/** Class and style of an element: the style is what counts, the classes turn its colours dark. */
function look(colours: readonly ColourName[], style: string): Html {
  const declared = colours.map((name) => `${PALETTE[name].property}:${PALETTE[name].light}`);
  return html`class="${colours.join(' ')}" style="${[...declared, style].join(';')}"`;
}

/**
 * The HTML part, for the mail programs that people have: tables and inline styles, since Outlook for Windows sets pages with
 * Word; nothing is fetched. A visitor's text can neither be markup nor a link: the buttons lead to their address and number only.
 */
export function renderHtml(content: MailContent, links: ContactLinks, preview: string): string {
  const { company, kind, title, notices, file, message, details } = content;
  const sections = [notices.map(notice), who(content, links), file && fileBox(file), message.text && messageBox(message), facts(details)];
  return `<!doctype html>\n${html`<html lang="en" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${kind}: ${title}</title>
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->
<style>:root{color-scheme:light dark}${new Html(darkRules())}@media (max-width:480px){.pad{padding-left:20px !important;padding-right:20px !important}.wide{width:100% !important}.stack{display:block !important;width:auto !important}.gap{display:block !important;width:auto !important;height:12px}}</style>
</head>
<body ${look(['page'], 'margin:0;padding:0;-webkit-text-size-adjust:100%')}>
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preview}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${look(['page'], 'width:100%')}><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="${WIDTH_PX}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${look(['card', 'edge'], `width:100%;max-width:${WIDTH_PX}px;table-layout:fixed;border-width:1px;border-style:solid;${FONT}`)}>
${masthead(company)}
${heading(kind, title)}
${sections.map((section) => section || undefined)}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`}`;
}

/** A row of the card. */
const row = (padding: string, inside: Html) => html`<tr><td class="pad" style="padding:${padding};${BREAKS}">${inside}</td></tr>
`;

const masthead = (company: string) => html`<tr><td class="pad" bgcolor="${MASTHEAD.night}" style="background-color:${MASTHEAD.night};padding:16px 32px">
<span style="color:${MASTHEAD.mark};font-size:14px;line-height:24px">&#9670;</span>&nbsp; <span style="color:${MASTHEAD.name};font-size:16px;line-height:24px;font-weight:700">${company}</span><span style="color:${MASTHEAD.muted};font-size:16px;line-height:24px"> website</span>
</td></tr>
<tr><td style="padding:0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>${MASTHEAD.stripes.map(
  ([colour, width]) => html`<td width="${width}" height="5" bgcolor="${colour}" style="background-color:${colour};font-size:1px;line-height:5px">&nbsp;</td>`,
)}</tr></table></td></tr>`;

const heading = (kind: string, title: string) =>
  row(
    '28px 32px 4px',
    html`<p ${look(['hue'], 'margin:0 0 4px;font-size:14px;line-height:20px;font-weight:700')}>${kind}</p>
<h1 ${look(['ink'], 'margin:0;font-size:26px;line-height:32px;font-weight:700')}><span dir="auto">${title}</span></h1>`,
  );

const notice = (sentence: string) => row('16px 32px 0', html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed"><tr>${cautionCell(sentence)}</tr></table>`);

const cautionCell = (sentence: string) =>
  html`<td ${look(['caution', 'caution-edge', 'ink'], `padding:12px 16px;border-left-width:4px;border-left-style:solid;font-size:15px;line-height:22px;${BREAKS}`)}><strong>Note:</strong> ${sentence}</td>`;

/** Who asks, and how to answer: nobody should have to look for it. */
function who({ person: { name, email, phone } }: MailContent, links: ContactLinks): Html {
  const line = look(['ink'], 'margin:0;font-size:16px;line-height:24px');
  const link = look(['hue'], 'text-decoration:underline');
  return html`${row(
    '20px 32px 0',
    html`<p ${look(['ink'], 'margin:0;font-size:18px;line-height:26px;font-weight:700')}><span dir="auto">${name}</span></p>
<p ${line}><a href="${links.answer}" ${link}>${email}</a></p>
${phone && html`<p ${line}><span dir="auto">${links.call ? html`<a href="${links.call}" ${link}>${phone}</a>` : phone}</span></p>`}`,
  )}${row(
    '16px 32px 0',
    html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" class="wide"><tr>
<td align="center" bgcolor="${PALETTE.signal.light}" class="stack signal" style="background-color:${PALETTE.signal.light};border-radius:3px">${button(links.answer, 'Answer by email', 'on-signal')}</td>
${links.call && html`<td class="gap" width="12" style="font-size:1px;line-height:1px">&nbsp;</td><td align="center" ${stackedLook()}>${button(links.call, 'Call', 'ink')}</td>`}
</tr></table>`,
  )}`;
}

const stackedLook = () => html`class="stack control" style="border:1px solid ${PALETTE.control.light};border-radius:3px"`;

/** Outlook takes the size of a link from its line, so the padding that it ignores is said a second time for it alone. */
const button = (href: string, label: string, colour: ColourName) =>
  html`<a href="${href}" ${look([colour], 'display:block;padding:11px 24px;font-size:16px;line-height:22px;font-weight:700;text-decoration:none;mso-padding-alt:0')}><!--[if mso]><i style="mso-font-width:300%;mso-text-raise:16px" hidden>&emsp;</i><![endif]-->${label}<!--[if mso]><i style="mso-font-width:300%" hidden>&emsp;&#8203;</i><![endif]--></a>`;

const title = (text: string) => html`<h2 ${look(['ink'], 'margin:0 0 10px;font-size:16px;line-height:24px;font-weight:700')}>${text}</h2>`;

function fileBox({ name, facts, notes }: FileContent): Html {
  return row(
    '28px 32px 0',
    html`${title('File')}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${look(['edge'], 'table-layout:fixed;border-width:1px;border-style:solid')}>
<tr><td style="padding:12px 16px;${BREAKS}"><p ${look(['ink'], 'margin:0;font-size:16px;line-height:24px;font-weight:700')}><span dir="auto">${name}</span></p>
<p ${look(['muted'], 'margin:0;font-size:14px;line-height:20px')}>${facts}</p></td></tr>
${notes.map((note) => html`<tr>${cautionCell(note)}</tr>
`)}</table>`,
  );
}

function messageBox({ label, text }: MailContent['message']): Html {
  return row(
    '28px 32px 0',
    html`${title(label)}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed"><tr>
<td ${look(['quote', 'ink'], `padding:2px 0 2px 16px;border-left-width:3px;border-left-style:solid;font-size:16px;line-height:25px;white-space:pre-wrap;${BREAKS}`)}>${visitorText(text)}</td></tr></table>`,
  );
}

function facts(rows: MailContent['details']): Html {
  const cell = (colour: ColourName) => look([colour, 'edge'], `padding:8px 0;border-top-width:1px;border-top-style:solid;font-size:15px;line-height:22px;font-weight:400;vertical-align:top;${BREAKS}`);
  const filled = rows.filter(([, value]) => value !== '');
  return row(
    '28px 32px 32px',
    html`${title('Details')}<table width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed">
${filled.map(
  ([label, value]) => html`<tr><th scope="row" align="left" width="30%" ${cell('muted')}>${label}</th><td ${cell('ink')}><span dir="auto">${value}</span></td></tr>
`,
)}</table>`,
  );
}
