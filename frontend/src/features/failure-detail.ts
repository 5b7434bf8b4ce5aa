import type { Form } from 'form-service/contract/define-form';
import { fill } from 'form-service/contract/messages';
import { mailboxes } from 'virtual:content';

/** Returns what a visitor can do whose submission failed. Its place {email} is the address that the pages show. */
export const failureDetail = ({ words, mailbox = 'SALES_INBOX' }: Form): string =>
  fill(words.failedDetail, { email: mailboxes[mailbox] });
