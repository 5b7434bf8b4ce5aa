/** Every page of the site (spec 2.1); the first test of `routing.spec.ts` holds it against the sitemap. */
export const paths = [
  '/',
  '/about',
  '/services',
  '/services/custom-software',
  '/services/web-development',
  '/services/mobile-development',
  '/services/emerging-tech',
  '/services/agentic-ai',
  '/services/sap-consulting',
  '/services/dynamics-crm',
  '/services/staff-augmentation',
  '/services/dedicated-teams',
  '/services/software-outsourcing',
  '/services/resource-outsourcing',
  '/careers',
  '/contact',
  '/sitemap',
  '/privacy',
  '/terms',
] as const;

/** An address that is no page. */
export const UNKNOWN_PATH = '/no-such-page';
