import type { IconName } from './icons.ts';

/** A dropdown of the top bar (spec 2.2, "Service menu group"). */
export interface MenuGroup {
  readonly name: string;
  readonly description: string;
  readonly services: readonly MenuItem[];
}

export interface MenuItem {
  readonly name: string;
  readonly href: string;
  readonly icon: IconName;
  readonly description: string;
}

/** The top bar's three dropdowns, in the order and words of the specification (2.2). */
export const menuGroups = [
  {
    name: 'Software Development',
    description: 'Custom software solutions and applications',
    services: [
      {
        name: 'Custom Software Development',
        href: '/services/custom-software',
        icon: 'code',
        description: 'Systems shaped around how you work',
      },
      {
        name: 'Web Development',
        href: '/services/web-development',
        icon: 'globe',
        description: 'Sites and web applications that load fast',
      },
      {
        name: 'Mobile App Development',
        href: '/services/mobile-development',
        icon: 'smartphone',
        description: 'iOS and Android, native or cross-platform',
      },
      {
        name: 'Agentic AI',
        href: '/services/agentic-ai',
        icon: 'bot',
        description: 'Agents that carry a task to its end',
      },
      {
        name: 'Emerging Technologies',
        href: '/services/emerging-tech',
        icon: 'atom',
        description: 'From a question to a working proof',
      },
    ],
  },
  {
    name: 'Enterprise Solutions',
    description: 'Enterprise-grade business solutions',
    services: [
      {
        name: 'SAP Consulting',
        href: '/services/sap-consulting',
        icon: 'boxes',
        description: 'ERP roll-outs, ABAP and support',
      },
      {
        name: 'Dynamics CRM',
        href: '/services/dynamics-crm',
        icon: 'handshake',
        description: 'Sales and service on one record',
      },
    ],
  },
  {
    name: 'Resource Solutions',
    description: 'Flexible staffing and outsourcing options',
    services: [
      {
        name: 'Staff Augmentation',
        href: '/services/staff-augmentation',
        icon: 'user-plus',
        description: 'Engineers in your team within two weeks',
      },
      {
        name: 'Dedicated Teams',
        href: '/services/dedicated-teams',
        icon: 'users',
        description: 'A complete team that works only for you',
      },
      {
        name: 'Software Outsourcing',
        href: '/services/software-outsourcing',
        icon: 'rocket',
        description: 'We take a project from brief to launch',
      },
      {
        name: 'Resource Outsourcing',
        href: '/services/resource-outsourcing',
        icon: 'network',
        description: 'Scale from one developer to fifty',
      },
    ],
  },
] as const satisfies readonly MenuGroup[];

export interface NavLink {
  readonly label: string;
  readonly href: string;
}

export const mainLinks = [
  { label: 'Home', href: '/' },
  { label: 'About Us', href: '/about' },
  { label: 'Services', href: '/services' },
  { label: 'Careers', href: '/careers' },
  { label: 'Contact', href: '/contact' },
] as const satisfies readonly NavLink[];

/** Service links of sitemap and footer, in the groups of the specification (2.13). */
export const sitemapGroups = [
  {
    title: 'Software Development',
    links: [
      { label: 'Custom Software Development', href: '/services/custom-software' },
      { label: 'Web Development', href: '/services/web-development' },
      { label: 'Mobile App Development', href: '/services/mobile-development' },
    ],
  },
  {
    title: 'Enterprise Solutions',
    links: [
      { label: 'SAP Consulting & ABAP', href: '/services/sap-consulting' },
      { label: 'Dynamics CRM', href: '/services/dynamics-crm' },
    ],
  },
  {
    title: 'Resource Solutions',
    links: [
      { label: 'Staff Augmentation', href: '/services/staff-augmentation' },
      { label: 'Dedicated Teams', href: '/services/dedicated-teams' },
      { label: 'Software Outsourcing', href: '/services/software-outsourcing' },
    ],
  },
] as const;

export const companyLinks = [
  { label: 'About Us', href: '/about' },
  { label: 'Careers', href: '/careers' },
  { label: 'Contact Us', href: '/contact' },
  { label: 'Privacy Policy', href: '/privacy' },
  { label: 'Terms of Service', href: '/terms' },
] as const satisfies readonly NavLink[];

export const legalLinks = [
  { label: 'Privacy Policy', href: '/privacy' },
  { label: 'Terms of Service', href: '/terms' },
] as const satisfies readonly NavLink[];
