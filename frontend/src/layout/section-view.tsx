import type { ComponentType } from 'react';
import type { Page, Section } from '../content/model.ts';
import { Cta } from '../sections/cta.tsx';
import { EngagementModels } from '../sections/engagement-models.tsx';
import { Faq } from '../sections/faq.tsx';
import { Features } from '../sections/features.tsx';
import { Legal } from '../sections/legal.tsx';
import { LinkGroups } from '../sections/link-groups.tsx';
import { Offices } from '../sections/offices.tsx';
import { Pricing } from '../sections/pricing.tsx';
import { Process } from '../sections/process.tsx';
import { Prose } from '../sections/prose.tsx';
import { ServiceCards } from '../sections/service-cards.tsx';
import { Stack } from '../sections/stack.tsx';
import { Stats } from '../sections/stats.tsx';
import { Story } from '../sections/story.tsx';
import { TeamModels } from '../sections/team-models.tsx';

type SectionOf<Kind extends Section['kind']> = Extract<Section, { kind: Kind }>;
type Registry<Kinds extends Section['kind']> = { [Kind in Kinds]: ComponentType<{ section: SectionOf<Kind> }> };

/** Sections with a form bring the form's libraries, so their code is loaded with the pages that show them. */
const formSections = {
  'contact-form': () => import('../features/contact/contact-section.tsx').then((module) => module.ContactSection),
  jobs: () => import('../features/application/jobs-section.tsx').then((module) => module.JobsSection),
} satisfies { [Kind in Section['kind']]?: () => Promise<ComponentType<{ section: SectionOf<Kind> }>> };

type FormKind = keyof typeof formSections;

const isFormKind = (kind: Section['kind']): kind is FormKind => kind in formSections;

const components: Registry<Exclude<Section['kind'], FormKind>> & Partial<Registry<FormKind>> = {
  stats: Stats,
  features: Features,
  process: Process,
  stack: Stack,
  pricing: Pricing,
  prose: Prose,
  story: Story,
  faq: Faq,
  cta: Cta,
  'service-cards': ServiceCards,
  'engagement-models': EngagementModels,
  'team-models': TeamModels,
  offices: Offices,
  legal: Legal,
  'link-groups': LinkGroups,
};

/** Loads the code of a page's form sections. Afterwards the page renders without waiting for anything. */
export async function loadSections(page: Page): Promise<void> {
  await Promise.all(
    page.sections.map(async ({ kind }) => {
      if (isFormKind(kind)) Object.assign(components, { [kind]: await formSections[kind]() });
    }),
  );
}

/** A section, drawn by the one component of its kind. */
export function SectionView({ section }: { section: Section }) {
  const Component = components[section.kind] as ComponentType<{ section: Section }> | undefined;
  if (!Component) throw new Error(`the code of section ${section.kind} is not loaded`);
  return <Component section={section} />;
}
