import { companyFact } from '../src/settings/company.ts';

/** Host of the site whose content is under test, as in Message-IDs and in the default sender. */
export const SITE_HOST = new URL(String(companyFact('host'))).hostname;
