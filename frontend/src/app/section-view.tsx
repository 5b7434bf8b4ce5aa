import type { ComponentType } from 'react';
import type { Section } from '../content/model.ts';
import { ApplicationDialog } from '../features/application/application-dialog.tsx';
import { JobsSection } from '../features/application/jobs-section.tsx';
import { ContactSection } from '../features/contact/contact-section.tsx';
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

const components: { readonly [Kind in Section['kind']]: ComponentType<{ section: SectionOf<Kind> }> } = {
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
  legal: Legal,
  jobs: JobsSection,
  application: ApplicationDialog,
  'contact-form': ContactSection,
  'engagement-models': EngagementModels,
  'link-groups': LinkGroups,
  'service-cards': ServiceCards,
  'team-models': TeamModels,
};

/** A section, drawn by the one component of its kind. */
export function SectionView({ section }: { section: Section }) {
  const Component = components[section.kind] as ComponentType<{ section: Section }>;
  return <Component section={section} />;
}
