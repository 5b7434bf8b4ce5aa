import { applicationFields, contactFields, type FormField } from '../contract/fields.ts';
import { messages } from '../contract/messages.ts';
import type { FormKind } from '../submissions/submission.ts';

/** What the service needs to know about a form in order to answer. */
export interface FormProfile {
  readonly path: string;
  /** The path of the page that has the form. */
  readonly page: string;
  readonly title: string;
  readonly submitLabel: string;
  readonly encoding: 'application/x-www-form-urlencoded' | 'multipart/form-data';
  readonly fields: readonly FormField[];
  readonly sent: string;
  readonly sentDetail: string;
  readonly failed: string;
}

export const FORMS: Readonly<Record<FormKind, FormProfile>> = {
  contact: {
    path: '/api/contact',
    page: '/contact',
    title: 'Contact Us',
    submitLabel: 'Send Message',
    encoding: 'application/x-www-form-urlencoded',
    fields: contactFields,
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
    fields: applicationFields,
    sent: messages.applicationSent,
    sentDetail: messages.applicationSentDetail,
    failed: messages.applicationFailed,
  },
};

/** The form that a request's URL belongs to, if any. */
export function formOf(url: string): FormKind | undefined {
  if (/^\/api\/contact\/?(?:\?|$)/.test(url)) return 'contact';
  return /^\/api\/resume\/?(?:\?|$)/.test(url) ? 'application' : undefined;
}
