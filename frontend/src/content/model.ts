import type { IconName } from './icons.ts';
import type { ImageKey } from './images.ts';

/**
 * The shape of a page's content. Copy is strict data: no markup, no classes. A page is a head, a hero and a list of
 * sections; each kind of section has one component in `src/sections/` or `src/features/`.
 */

/** A list of exactly N items: one too many or too few does not compile. Use with `satisfies`. */
export type Exactly<N extends number, Item, Built extends readonly Item[] = readonly []> = Built['length'] extends N
  ? Built
  : Exactly<N, Item, readonly [...Built, Item]>;

/** A sentence or more. `[label](href)` makes a link; nothing else is markup. */
export type Text = string;

/** Accent of a page or card: the site's own two supports, or one of the specification's eight (spec 3, "hoverColor"). */
export type Hue =
  | 'sky'
  | 'teal'
  | 'amber'
  | 'purple-600'
  | 'blue-600'
  | 'green-600'
  | 'indigo-600'
  | 'cyan-600'
  | 'orange-600'
  | 'pink-600'
  | 'red-600';

/** Something to press. `href` is a path of this site, `#anchor`, `mailto:` or `tel:`. */
export type Action =
  | {
      readonly label: string;
      readonly href: string;
      readonly newTab?: true;
      /** Id of an element to scroll to instead, where the page holds it (spec 2.11, "Get Started Today"). */
      readonly scrollTo?: string;
    }
  /** Opens the application form (spec 2.7). */
  | { readonly label: string; readonly opens: 'application' };

export interface Stat {
  /** As it is shown, for example "50+". */
  readonly value: string;
  readonly label: string;
}

/** A picture from `images.ts`; `alt` says what it shows, '' when it only decorates. */
export interface Picture {
  readonly key: ImageKey;
  readonly alt: string;
}

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

interface SectionBase {
  /** Anchor, where the specification or a link needs one. */
  readonly id?: string;
  readonly heading: string;
  readonly intro?: Text;
  readonly actions?: readonly Action[];
}

/** Large figures in a row. */
export interface StatsSection extends SectionBase {
  readonly kind: 'stats';
  readonly stats: readonly Stat[];
}

export interface Feature {
  readonly icon?: IconName;
  readonly title: string;
  readonly description?: Text;
  readonly bullets?: readonly string[];
  /** Badge such as "Most Popular". */
  readonly label?: string;
  /** Key figure, for example "99.9%", with what it counts. */
  readonly metric?: string;
  readonly metricLabel?: string;
  readonly href?: string;
}

/**
 * Points of equal rank. `shape` says how they relate, and the component draws it:
 * - cards: independent offers, each may stand alone (icon, title, text, bullets)
 * - rows: arguments read one after another (title left, text right, ruled lines)
 * - columns: short parallel lists side by side (a heading and bullets; skills, roles, groups)
 * - split: few big statements beside the section's heading, which stays in view
 * - tags: names with at most a few words each (industries, areas)
 * - metrics: a key figure leads each item
 */
export interface FeaturesSection extends SectionBase {
  readonly kind: 'features';
  readonly shape: 'cards' | 'rows' | 'columns' | 'split' | 'tags' | 'metrics';
  readonly items: readonly Feature[];
}

export interface ProcessStep {
  /** "01" to "06". */
  readonly step: string;
  readonly title: string;
  readonly description: Text;
  /** For example "1-2 weeks". */
  readonly duration?: string;
  readonly deliverables?: readonly string[];
}

/** Steps joined by a line, with an optional closing summary. */
export interface ProcessSection extends SectionBase {
  readonly kind: 'process';
  readonly steps: readonly ProcessStep[];
  readonly summary?: Text;
}

/** Technologies as a grouped list: category, then names. */
export interface StackSection extends SectionBase {
  readonly kind: 'stack';
  readonly technologies: readonly { readonly name: string; readonly category: string }[];
}

/** "Investment & Timeline": a few facts that read at a glance, then what they depend on. */
export interface PricingSection extends SectionBase {
  readonly kind: 'pricing';
  readonly facts: readonly { readonly label: string; readonly value: string; readonly note?: string }[];
  readonly notes?: readonly Text[];
}

/** Paragraphs, with an optional picture or a short list of facts beside them. */
export interface ProseSection extends SectionBase {
  readonly kind: 'prose';
  readonly paragraphs: readonly Text[];
  readonly picture?: Picture;
  readonly facts?: readonly { readonly label: string; readonly value: string }[];
}

/** A story told in parts, for example situation, work, result. Names no client. */
export interface StorySection extends SectionBase {
  readonly kind: 'story';
  readonly parts: readonly { readonly title: string; readonly paragraphs: readonly Text[] }[];
}

export interface FaqSection extends SectionBase {
  readonly kind: 'faq';
  readonly items: readonly { readonly question: string; readonly answer: Text }[];
}

/** Closing call to action. */
export interface CtaSection extends SectionBase {
  readonly kind: 'cta';
  readonly actions: readonly Action[];
}

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

/** The three offices; their facts come from `company.ts`. */
export interface OfficesSection extends SectionBase {
  readonly kind: 'offices';
}

export interface ContactFormSection extends SectionBase {
  readonly kind: 'contact-form';
}

/** An open position (spec 3, "Job posting"). */
export interface JobPosting {
  /** Slug. */
  readonly id: string;
  readonly title: string;
  readonly department: string;
  readonly location: string;
  /** For example "Full-time". */
  readonly type: string;
  readonly experience: string;
  /** ISO calendar date, for example "2025-09-01": the same day in every time zone. */
  readonly postedDate: string;
  readonly description: Text;
  readonly responsibilities: readonly string[];
  readonly requirements: readonly string[];
  readonly niceToHave: readonly string[];
}

export interface JobsSection extends SectionBase {
  readonly kind: 'jobs';
  readonly jobs: readonly JobPosting[];
}

export interface LegalClause {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly (Text | { readonly list: readonly Text[] })[];
}

/** A legal text with a table of contents. */
export interface LegalSection extends Omit<SectionBase, 'heading'> {
  readonly kind: 'legal';
  /** For example "August 30, 2025", as the specification prints it. */
  readonly lastUpdated: string;
  readonly clauses: readonly LegalClause[];
}

/** Links in named groups, for people (spec 2.13). */
export interface LinkGroupsSection extends SectionBase {
  readonly kind: 'link-groups';
  readonly groups: readonly {
    readonly title: string;
    readonly links: readonly { readonly label: string; readonly href: string }[];
  }[];
}

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
  readonly hero: Hero;
  readonly sections: readonly Section[];
}
