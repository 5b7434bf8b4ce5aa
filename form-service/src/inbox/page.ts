import { FORM_KINDS, nounsOf } from '../contract/forms.ts';
import { formsOf, isMailbox, type InboxUser } from '../config/inbox-users.ts';
import { timeText } from '../html/format.ts';
import type { Status } from '../submissions/submission.ts';
import { STATUS_LABELS } from '../submissions/labels.ts';
import { readTemplate, type Values } from '../html/template.ts';

/** Values of the frame around every page: the company and the signed-in user. */
export interface Frame {
  readonly company: string;
  readonly user: InboxUser | undefined;
}

const FRAME = new URL('pages/frame.html', import.meta.url);

/** Says which forms a user sees, or which mailbox. */
function seenBy(role: string): string {
  if (isMailbox(role)) return `what goes to ${role}`;
  const forms = formsOf(role);
  return forms.length === FORM_KINDS.length ? 'all roles' : `sees ${forms.map(nounsOf).join(' and ')}`;
}

/** Reads a page of the folder `pages`. @returns what fills it */
export function readPage(name: string): (frame: Frame, values: Values) => string {
  const fill = readTemplate(new URL(`pages/${name}.html`, import.meta.url), FRAME);
  return ({ company, user }, values) =>
    fill({ ...values, company, user: user && { name: user.name, sees: seenBy(user.role) } });
}

const fillMessage = readPage('message');

/** A page that says one sentence. */
export const messagePage = (frame: Frame, sentence: string) => fillMessage(frame, { title: sentence });

const fillUnsavedNote = readPage('unsaved-note');

/** A note that was not saved, for the user to copy. */
export const unsavedNotePage = (
  frame: Frame,
  values: { readonly why: string; readonly text: string; readonly href: string; readonly link: string },
) => fillUnsavedNote(frame, { title: 'Error: Your note is not saved', ...values });

const BADGES: Readonly<Record<Status, string>> = {
  pending: 'border-edge text-ink',
  delivered: 'border-success text-success',
  failed: 'border-error text-error',
  quarantined: 'border-signal text-signal',
  done: 'border-edge text-muted',
  spam: 'border-edge text-muted',
};

/** The view of a status: its words and its colours. */
export const statusView = (status: Status) => ({ status: STATUS_LABELS[status], badge: BADGES[status] });

/** The view of a time: in words, without its zone, and in ISO 8601. */
export function timeView(time: number, timeZone: string): { readonly words: string; readonly iso: string } {
  return { words: timeText(time, timeZone), iso: new Date(time).toISOString() };
}
