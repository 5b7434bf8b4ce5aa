import type { MailContent } from './mail-content.ts';

/** The plain text part, in the order of the HTML part. Values stand as the visitor typed them. */
export function renderText({
  company,
  kind,
  title,
  person,
  canReply,
  notices,
  file,
  message,
  details,
}: MailContent): string {
  const blocks = [
    `${kind}: ${title}\nfrom ${person.name}`,
    notes(notices),
    lines([
      ['Email', person.email],
      ['Phone', person.phone],
    ]),
    // The sender of the mail is an address that nobody reads, so the reader is told whom to answer.
    canReply && 'To answer, reply to this message.',
    file && [`File: ${file.name}`, file.facts, notes(file.notes)].filter(Boolean).join('\n'),
    message.text && `${heading(message.label)}\n${message.text}`,
    `${heading('Details')}\n${lines(details)}`,
    `-- \n${company} website`,
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

const heading = (text: string) => `${text}\n${'-'.repeat(text.length)}`;

const notes = (sentences: readonly string[]) => sentences.map((sentence) => `NOTE: ${sentence}`).join('\n');

const lines = (rows: MailContent['details']) =>
  rows
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `${label}: ${value}`)
    .join('\n');
