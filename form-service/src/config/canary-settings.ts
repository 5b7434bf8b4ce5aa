import type { Schema } from 'yup';
import { mailbox, secret, url, whole } from './formats.ts';

/** Half a configuration would send nothing, or to nobody, and be believed to watch. */
function neededByTheCanary<T extends Schema>(schema: T): T {
  return schema.test('complete', 'must be set, as CANARY_INTERVAL_MINUTES is', (value, { parent }) => value !== undefined || parent.CANARY_INTERVAL_MINUTES === undefined) as T;
}

/** Variables of the synthetic enquiry. The api needs the secret alone. */
export const canarySettings = {
  /** Minutes from one to the next; unset: none is sent. */
  CANARY_INTERVAL_MINUTES: whole(1, 1440),
  /** Who gets them: an inbox that nobody reads, or a program. */
  CANARY_INBOX: neededByTheCanary(mailbox()),
  /** Shared by api and workers: tells our own enquiry from anything a visitor could send. */
  CANARY_SECRET: neededByTheCanary(secret()),
  /** Where they are posted, as visitors do; unset: `SITE_URL`. */
  CANARY_URL: url('https://', 'http://'),
};
