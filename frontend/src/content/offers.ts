import type { Hue, Picture, SectionBase, Text } from './elements.ts';
import type { IconName } from './icons.ts';

/** The sections that list what is on offer: services, ways to work together, teams, jobs; and their records (spec 3). */

/** A card of the home page's grid (spec 2.3): the first two features are shown, then "+N more services". */
export interface ServiceCard {
  readonly icon: IconName;
  readonly title: string;
  readonly description: string;
  readonly features: readonly string[];
  readonly hoverColor: Exclude<Hue, 'sky' | 'teal' | 'amber'>;
  readonly href: string;
}

export interface ServiceCardsSection extends SectionBase {
  readonly kind: 'service-cards';
  readonly cards: readonly ServiceCard[];
}

/** An engagement model of /services (spec 3). `image` is a picture of our own. */
export interface EngagementModel {
  readonly id: 'staff-augmentation' | 'dedicated-teams' | 'software-outsourcing';
  readonly icon: IconName;
  readonly title: string;
  readonly shortDescription: string;
  readonly description: Text;
  readonly image: Picture;
  readonly technologies: readonly string[];
  readonly benefits: readonly string[];
  readonly features: readonly string[];
  readonly pricing: string;
  readonly timeline: string;
  readonly hoverColor: Hue;
  readonly link: string;
}

export interface EngagementModelsSection extends SectionBase {
  readonly kind: 'engagement-models';
  readonly models: readonly EngagementModel[];
}

/** A team model of /services/dedicated-teams (spec 3). Price and duration are kept here and never shown (decisions). */
export interface TeamModel {
  readonly id: 'startup' | 'growth' | 'enterprise' | 'specialized';
  readonly icon: IconName;
  readonly name: string;
  readonly size: string;
  readonly duration: string;
  readonly price: string;
  readonly description: Text;
  readonly ideal: string;
  readonly team: readonly string[];
  readonly features: readonly string[];
}

export interface TeamModelsSection extends SectionBase {
  readonly kind: 'team-models';
  readonly models: readonly TeamModel[];
}

/** An open position (spec 3, "Job posting"). */
export interface JobPosting {
  /** Slug. */
  readonly id: string;
  readonly title: string;
  readonly department: string;
  /** Town, then country, for example "Chennai, India". */
  readonly location: string;
  /** Of the location, ISO 3166-1, for search engines. */
  readonly countryCode: string;
  /** For example "Full-time". */
  readonly type: string;
  readonly experience: string;
  /** ISO calendar date, for example "2025-09-01": the same day in every time zone. */
  readonly postedDate: string;
  /** Last day to apply, in the same form. */
  readonly validThrough: string;
  readonly description: Text;
  readonly responsibilities: readonly string[];
  readonly requirements: readonly string[];
  readonly niceToHave: readonly string[];
}

/** The dialog with the application form, once on each page that opens it. */
export interface ApplicationSection {
  readonly kind: 'application';
}

export interface JobsSection extends SectionBase {
  readonly kind: 'jobs';
  readonly jobs: readonly JobPosting[];
}
