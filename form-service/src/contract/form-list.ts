import type { Form } from './define-form.ts';
import { application } from './forms/application.ts';
import { contact } from './forms/contact.ts';

/** All forms, in the order in which staff see them. This is the only list of them; a test can replace this module. */
export const FORMS: readonly Form[] = [contact, application];
