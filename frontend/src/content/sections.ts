import type { Action, Picture, SectionBase, Stat, Text } from './elements.ts';
import type { IconName } from './icons.ts';

/** The kinds of section that any page may hold. Each has one component in `src/components/blocks/` or `src/features/`. */

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

/** The three offices; their facts come from `company.ts`. */
export interface OfficesSection extends SectionBase {
  readonly kind: 'offices';
}

export interface ContactFormSection extends SectionBase {
  readonly kind: 'contact-form';
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
