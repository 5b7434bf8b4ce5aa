import { wordsOf } from '../src/contract/words.ts';

/** Services that the enquiry form offers. Tests take them from here, because writers change them. */
export const SERVICES = wordsOf('contact').fields['service']?.options ?? [];
export const [SERVICE = '', OTHER_SERVICE = ''] = SERVICES;
