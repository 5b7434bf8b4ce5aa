import type { Mail } from '../src/mail/mails/mail.ts';

/** Returns the visible text of an HTML part. Content for Outlook is in comments. */
export function seen(html: string): string {
  const body = html.slice(html.indexOf('<body')).replace(/<!--[^]*?-->/g, '');
  const text = body
    .replace(/<p([^>]*)><br><\/p>/g, '<p$1></p>')
    .replace(/<br>/g, '\n')
    .replace(/<\/p>\s*<div[^>]*>&nbsp;<\/div>\s*<p[^>]*>/g, '\n\n')
    .replace(/<[^>]*>/g, '');
  return text.replace(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)));
}

/** Returns the targets of all links of a mail. */
export const linksOf = ({ html }: Mail): string[] =>
  Array.from(html.matchAll(/href="([^"]*)"/g), ([, href = '']) => seen(`<body>${href}`));
