import { FORM_KINDS, nounsOf } from '../contract/forms.ts';
import type { Settings } from '../settings/settings.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { formsOf, isMailbox, type InboxUser } from '../settings/inbox-users.ts';
import type { RenderError } from '../http/exception.filter.ts';
import { listText } from '../html/format.ts';
import { readTemplate, type Values } from '../html/template.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('inbox');

/** Values of the frame around every page: the company and the signed-in user. */
export interface Frame {
  readonly company: string;
  readonly user: InboxUser | undefined;
}

const FRAME = new URL('pages/frame.html', import.meta.url);

/** Says which forms a user sees, or which mailbox. */
function seenBy(role: string): string {
  if (isMailbox(role)) return words.frame.mailbox({ mailbox: role });
  const forms = formsOf(role);
  return forms.length === FORM_KINDS.length
    ? words.frame.allForms
    : words.frame.someForms({ nouns: listText(forms.map(nounsOf)) });
}

/** Reads a page, such as `pages/list.html` of a folder. @returns what fills it */
export function readPage(name: string, folder: string): (frame: Frame, values: Values) => string {
  const fill = readTemplate(new URL(`pages/${name}.html`, folder), FRAME);
  return ({ company, user }, values) =>
    fill({ ...values, company, user: user && { name: user.name, sees: seenBy(user.role) } });
}

const fillMessage = readPage('message', import.meta.url);

/** A page that says one sentence. */
export const messagePage = (frame: Frame, sentence: string) => fillMessage(frame, { title: sentence });

/** Renders every error as a page of the inbox, since people in browsers are its only clients. */
export const inboxErrors =
  ({ COMPANY_NAME: company }: Pick<Settings, 'COMPANY_NAME'>): RenderError =>
  ({ message, cause }, _request, { locals }) => {
    const { user } = locals as { user?: InboxUser };
    const sentence = cause instanceof StorageUnavailableError ? words.errors.unavailable : message;
    return { html: () => messagePage({ company, user }, sentence) };
  };

const fillUnsavedNote = readPage('unsaved-note', import.meta.url);

/** A note that was not saved, for the user to copy. */
export const unsavedNotePage = (
  frame: Frame,
  values: { readonly why: string; readonly text: string; readonly href: string; readonly link: string },
) => fillUnsavedNote(frame, { title: serviceWords('signIn').noteError, ...values });
