import { readFileSync } from 'node:fs';

/** What wrk sends. */
export const CONTACT_SHAPE = 'bench/post-contact.lua';

/** The same enquiry, as JSON. */
export const CONTACT_BODY = /wrk\.body = '(.*)'/.exec(readFileSync(CONTACT_SHAPE, 'utf8'))?.[1] ?? '';
