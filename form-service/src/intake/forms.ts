import { applicationFields, contactFields, type FormField } from '../contract/fields.ts';
import { messages } from '../contract/messages.ts';
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
    sent: messages.contactSent,
    sentDetail: messages.contactSentDetail,
    next: messages.contactNext,
    failed: messages.contactFailed,
  },
  application: {
    path: FORM_PATHS.application,
    page: '/careers',
    title: 'Submit Your Application',
    submitLabel: 'Submit Application',
    encoding: 'multipart/form-data',
    fields: applicationFields as readonly FormField[],
    sent: messages.applicationSent,
    sentDetail: messages.applicationSentDetail,
    next: [],
    failed: messages.applicationFailed,
  },
} as const satisfies Record<FormKind, object>;

export type FormProfile = (typeof FORMS)[FormKind];
