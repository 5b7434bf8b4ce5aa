/**
 * Every fact about the company that is used in more than one place. Edit this file to re-brand the site.
 * Addresses and phones are recognisable placeholders in reserved domains and number ranges.
 */

/** Public address of the site; `SITE_URL` at build time replaces it. */
const host = import.meta.env?.SITE_URL || 'https://kitewright.example';

/** Where enquiries and applications arrive, by form or by a visitor's own mail program; `SALES_INBOX` and `HR_INBOX` replace them. */
const email = import.meta.env?.SALES_INBOX || 'hello@kitewright.example';
const careersEmail = import.meta.env?.HR_INBOX || 'careers@kitewright.example';

export interface Office {
  readonly name: string;
  /** Without town and country. */
  readonly street: readonly string[];
  readonly locality: string;
  readonly postalCode: string;
  readonly country: string;
  /** ISO 3166-1, for search engines. */
  readonly countryCode: string;
  readonly email: string;
  readonly phone: string;
}

export const company = {
  name: 'Kitewright',
  legalName: 'Kitewright Software',
  /** Without a trailing slash. */
  host: host.replace(/\/+$/, ''),
  blurb: 'We design, build and run software for growing firms, and lend you the engineers to do it yourselves.',
  email,
  careersEmail,
  /** Who hears of a weakness of the site: the address that RFC 2142 gives every domain, beside the other inbox. */
  securityEmail: `security@${email.split('@').at(-1)}`,
  phone: '+91 00000 00000',
  copyright: '© 2025 Kitewright Software. All rights reserved.',
  incorporated: '2014',
  homeCity: 'Chennai',
  country: 'India',
  countryCode: 'IN',
  social: [
    { network: 'linkedin', name: 'LinkedIn', href: 'https://www.linkedin.com/company/kitewright-example' },
    { network: 'x', name: 'X', href: 'https://x.com/kitewright_example' },
    { network: 'facebook', name: 'Facebook', href: 'https://www.facebook.com/kitewright.example' },
  ],
  offices: [
    {
      name: 'SEZ office',
      street: ['Unit 0, Block A', 'Example Special Economic Zone'],
      locality: 'Chennai',
      postalCode: '600000',
      country: 'India',
      countryCode: 'IN',
      email,
      phone: '+91 00000 00000',
    },
    {
      name: 'Registered Office',
      street: ['0 Example Street', 'Placeholder Nagar'],
      locality: 'Chennai',
      postalCode: '600000',
      country: 'India',
      countryCode: 'IN',
      email,
      phone: '+91 00000 00000',
    },
    {
      name: 'South Africa',
      street: ['0 Sample Avenue', 'Placeholder Park'],
      locality: 'Johannesburg',
      postalCode: '0000',
      country: 'South Africa',
      countryCode: 'ZA',
      email,
      phone: '+27 00 000 0000',
    },
  ] satisfies readonly Office[],
} as const;

/** The cookie choice. It stands apart from the company's facts because the boot of every page carries it. */
export const consent = {
  /** Key of the visitor's choice in local storage: the product's name plus "-cookie-consent" (spec 9). */
  key: 'kitewright-cookie-consent',
  /** Analytics script to load after consent; none by default. */
  analyticsUrl: import.meta.env?.ANALYTICS_URL || '',
} as const;

/** Days that a delivered submission is kept, for the privacy policy: the form service's own `RETENTION_DAYS` at build time. */
export const retentionDays = Number(import.meta.env?.RETENTION_DAYS || 30);

/** Figures that several pages share (spec 9). A page with a figure of its own states it in its own file. */
export const figures = {
  years: '10+',
  projects: '50+',
  clients: '40+',
  experts: '50+',
  offices: '3',
  satisfaction: '99%',
  onTime: '100%',
  industries: '5+',
  /** The longest a visitor waits for our first answer. */
  response: '24 hours',
  typicalProject: '4-12 weeks',
  /** From a signed agreement to engineers at work. */
  onboarding: '1-2 weeks',
} as const;
