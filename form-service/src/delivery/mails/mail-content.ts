import { contactLinks, fitsReplyTo } from './contact-links.ts';
import { renderHtml } from './html-part.ts';
import type { Mail } from './mail.ts';
import { renderText } from './text-part.ts';
import { previewOf, subjectLine } from './wording.ts';

/**
 * The content of a mail, independent of its form. Both parts, text and HTML, are made from it, so they say the same.
 */
export interface MailContent {
  readonly company: string;
  /** The kind of message, for example `New enquiry`. */
  readonly kind: string;
  /** The subject of the enquiry, or the position. */
  readonly title: string;
  readonly reference: string;
  readonly person: { readonly name: string; readonly email: string; readonly phone: string };
  /** The subject of the reply to the visitor. */
  readonly answerSubject: string;
  /** Whether the visitor's address can stand in `Reply-To`, so that a reply reaches them. */
  readonly canReply: boolean;
  /** Notes that the reader must see before anything else. */
  readonly notices: readonly string[];
  readonly file?: FileContent;
  /** The visitor's own text, which may have several lines. */
  readonly message: { readonly label: string; readonly text: string };
  /** Further values with their labels, in order. Empty values are left out. */
  readonly details: readonly (readonly [label: string, value: string])[];
}

/** The file of an application, with everything that HR should know before opening it. */
export interface FileContent {
  readonly name: string;
  /** The description of the file, for example `PDF, 1.4 MB, attached`. */
  readonly facts: string;
  readonly notes: readonly string[];
}

/** The note in a mail whose `Reply-To` cannot hold the visitor's address. */
const CANNOT_REPLY =
  'Replying does not reach the visitor: an address like this one cannot stand in Reply-To. ' +
  'Write to the address itself; the button does.';

type Envelope = Pick<Mail, 'to' | 'messageId' | 'requestId'> & { readonly subject: string };

/** Renders the content of a mail as text and as HTML. */
export function composeMail(composed: Omit<MailContent, 'canReply'>, { subject, ...envelope }: Envelope): Mail {
  const { name, email } = composed.person;
  const canReply = fitsReplyTo(email);
  const content = { ...composed, canReply, notices: [...composed.notices, ...(canReply ? [] : [CANNOT_REPLY])] };
  return {
    ...envelope,
    ...partsOf(content),
    subject: subjectLine(subject, content.reference),
    ...(canReply && { replyTo: { name, address: email } }),
  };
}

function partsOf(content: MailContent) {
  const links = contactLinks(content.person, content.answerSubject);
  return {
    text: renderText(content),
    html: renderHtml(content, links, previewOf(content.message.text || content.file?.name || content.title)),
  };
}
