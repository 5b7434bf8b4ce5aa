import type { ComponentType } from 'react';
import type { Page, Section } from '../content/model.ts';
import { Cta } from '../sections/cta.tsx';
import { Faq } from '../sections/faq.tsx';
import { Features } from '../sections/features.tsx';
import { Offices } from '../sections/offices.tsx';
import { Pricing } from '../sections/pricing.tsx';
import { Process } from '../sections/process.tsx';
import { Prose } from '../sections/prose.tsx';
import { ServiceCards } from '../sections/service-cards.tsx';
import { Stack } from '../sections/stack.tsx';
import { Stats } from '../sections/stats.tsx';
import { Story } from '../sections/story.tsx';

type SectionOf<Kind extends Section['kind']> = Extract<Section, { kind: Kind }>;
type Registry<Kinds extends Section['kind']> = { [Kind in Kinds]: ComponentType<{ section: SectionOf<Kind> }> };

/** Sections of one page or two, and those whose forms bring libraries: their code is loaded with the pages that show them. */
const rareSections = {
  'contact-form': () => import('../features/contact/contact-section.tsx').then((module) => module.ContactSection),
  'engagement-models': () => import('../sections/engagement-models.tsx').then((module) => module.EngagementModels),
  'link-groups': () => import('../sections/link-groups.tsx').then((module) => module.LinkGroups),
  'team-models': () => import('../sections/team-models.tsx').then((module) => module.TeamModels),
  legal: () => import('../sections/legal.tsx').then((module) => module.Legal),
  jobs: () => import('../features/application/jobs-section.tsx').then((module) => module.JobsSection),
} satisfies { [Kind in Section['kind']]?: () => Promise<ComponentType<{ section: SectionOf<Kind> }>> };

type RareKind = keyof typeof rareSections;

const isRareKind = (kind: Section['kind']): kind is RareKind => kind in rareSections;

const components: Registry<Exclude<Section['kind'], RareKind>> & Partial<Registry<RareKind>> = {
  stats: Stats,
  features: Features,
  process: Process,
  stack: Stack,
  pricing: Pricing,
  prose: Prose,
  story: Story,
  faq: Faq,
  cta: Cta,
  offices: Offices,
  'service-cards': ServiceCards,
};

/** Loads the code of a page's rare sections. Afterwards the page renders without waiting for anything. */
export async function loadSections(page: Page): Promise<void> {
  await Promise.all(
    page.sections.map(async ({ kind }) => {
      if (isRareKind(kind)) Object.assign(components, { [kind]: await rareSections[kind]() });
    }),
  );
}

/** A section, drawn by the one component of its kind. */
export function SectionView({ section }: { section: Section }) {
  const Component = components[section.kind] as ComponentType<{ section: Section }> | undefined;
  if (!Component) throw new Error(`the code of section ${section.kind} is not loaded`);
  return <Component section={section} />;
}
