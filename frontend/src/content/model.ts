import type { Action, Hue, Picture, Stat, Text } from './elements.ts';
import type {
  ApplicationSection,
  EngagementModelsSection,
  JobPosting,
  JobsSection,
  ServiceCardsSection,
  TeamModelsSection,
} from './offers.ts';
import type {
  ContactFormSection,
  CtaSection,
  FaqSection,
  FeaturesSection,
  LegalSection,
  LinkGroupsSection,
  OfficesSection,
  PricingSection,
  ProcessSection,
  ProseSection,
  StackSection,
  StatsSection,
  StorySection,
} from './sections.ts';

/** The shape of a page's content: a head, a hero and a list of sections. */

export interface Hero {
  /** Short line above the heading. */
  readonly kicker?: string;
  readonly heading: string;
  readonly lead: Text;
  readonly actions?: readonly Action[];
  /** Short claims, for example "100% Success Rate". */
  readonly badges?: readonly string[];
  readonly stats?: readonly Stat[];
  /** A banner picture, or a drawing beside the text. None: a plain typographic hero. */
  readonly art?: Picture | DrawingName;
}

/** Drawings that are part of the page itself, one for each page that has no picture and is more than a list. */
export type DrawingName = 'home' | 'about' | 'services' | 'careers' | 'contact';

export type Section =
  | StatsSection
  | FeaturesSection
  | ProcessSection
  | StackSection
  | PricingSection
  | ProseSection
  | StorySection
  | FaqSection
  | CtaSection
  | ServiceCardsSection
  | EngagementModelsSection
  | TeamModelsSection
  | OfficesSection
  | ContactFormSection
  | JobsSection
  | ApplicationSection
  | LegalSection
  | LinkGroupsSection;

export interface Page {
  /** Canonical path, without a trailing slash. */
  readonly path: string;
  /** Name in breadcrumbs, sitemap and menus. */
  readonly name: string;
  readonly title: string;
  /** Meta description, 70 to 160 characters. */
  readonly description: string;
  /** Search terms; service pages have them. */
  readonly keywords?: readonly string[];
  readonly hue: Hue;
  /** Service pages: what schema.org calls the type of service. */
  readonly serviceType?: string;
  /** The position that the page is about. */
  readonly job?: JobPosting;
  readonly hero: Hero;
  readonly sections: readonly Section[];
}
