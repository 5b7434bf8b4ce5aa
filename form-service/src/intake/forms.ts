import { applicationFields, contactFields, type FormField } from '../contract/fields.ts';
import { messages } from '../contract/messages.ts';
import { FORM_KINDS, type FormKind } from '../submissions/submission.ts';

/** What the service needs to know about a form in order to answer; `page` is the page that has the form. */
export const FORMS = {
  contact: {
    path: '/api/contact',
    page: '/contact',
    title: 'Contact Us',
    submitLabel: 'Send Message',
    encoding: 'application/x-www-form-urlencoded',
    fields: contactFields as readonly FormField[],
    sent: messages.contactSent,
    sentDetail: messages.contactSentDetail,
    failed: messages.contactFailed,
  },
  application: {
    path: '/api/resume',
    page: '/careers',
    title: 'Submit Your Application',
    submitLabel: 'Submit Application',
    encoding: 'multipart/form-data',
    fields: applicationFields as readonly FormField[],
    sent: messages.applicationSent,
    sentDetail: messages.applicationSentDetail,
    failed: messages.applicationFailed,
  },
} as const satisfies Record<FormKind, object>;

export type FormProfile = (typeof FORMS)[FormKind];

/** The form that a request's URL belongs to, if any. */
export function formOf(url: string): FormKind | undefined {
  const path = url.split('?', 1)[0]?.replace(/\/$/, '');
  return FORM_KINDS.find((form) => FORMS[form].path === path);
}
