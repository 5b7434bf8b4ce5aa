import { applicationFields, contactFields, type FormField } from '../contract/fields.ts';
import { application } from '../contract/forms/application.ts';
import { contact } from '../contract/forms/contact.ts';
import { FORM_PATHS, type FormKind } from '../contract/protocol.ts';

/** Paths, fields and texts of each form, for responses. `page` is the page of the site that has the form. */
export const FORMS = {
  contact: {
    path: FORM_PATHS.contact,
    page: '/contact',
    title: 'Contact Us',
    submitLabel: 'Send Message',
    encoding: 'application/x-www-form-urlencoded',
    fields: contactFields as readonly FormField[],
    sent: contact.words.sent,
    sentDetail: contact.words.sentDetail,
    next: (contact.words.next ?? []).map(({ when, what }) => [when, what] as const),
    failed: contact.words.failed,
  },
  application: {
    path: FORM_PATHS.application,
    page: '/careers',
    title: 'Submit Your Application',
    submitLabel: 'Submit Application',
    encoding: 'multipart/form-data',
    fields: applicationFields as readonly FormField[],
    sent: application.words.sent,
    sentDetail: application.words.sentDetail,
    next: [] as readonly (readonly [string, string])[],
    failed: application.words.failed,
  },
} as const satisfies Record<FormKind, object>;

export type FormProfile = (typeof FORMS)[FormKind];
