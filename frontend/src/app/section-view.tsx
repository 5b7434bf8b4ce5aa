import type { ComponentType } from 'react';
import type { Section, SectionOf } from 'virtual:content';
import { DIALOG_FORM } from 'form-service/contract/forms';
import { FormDialog } from '../features/form-dialog.tsx';
import { FormSection } from '../features/form-section.tsx';
import { Comparison } from '../components/blocks/comparison.tsx';
import { Cta } from '../components/blocks/cta.tsx';
import { EngagementModels } from '../components/blocks/engagement-models.tsx';
import { FactPanel } from '../components/blocks/facts.tsx';
import { Faq } from '../components/blocks/faq.tsx';
import { Features } from '../components/blocks/features.tsx';
import { Figure } from '../components/blocks/figure.tsx';
import { Legal } from '../components/blocks/legal.tsx';
import { Jobs, JobText } from '../components/blocks/jobs.tsx';
import { LinkGroups } from '../components/blocks/link-groups.tsx';
import { Offices } from '../components/blocks/offices.tsx';
import { Process } from '../components/blocks/process.tsx';
import { Prose } from '../components/blocks/prose.tsx';
import { ServiceCards } from '../components/blocks/service-cards.tsx';
import { Stack } from '../components/blocks/stack.tsx';
import { TeamModels } from '../components/blocks/team-models.tsx';

const components: { readonly [Kind in Section['kind']]: ComponentType<{ section: SectionOf<Kind> }> } = {
  facts: FactPanel,
  features: Features,
  process: Process,
  stack: Stack,
  prose: Prose,
  faq: Faq,
  figure: Figure,
  comparison: Comparison,
  cta: Cta,
  offices: Offices,
  legal: Legal,
  jobs: Jobs,
  job: JobText,
  form: FormSection,
  'engagement-models': EngagementModels,
  'link-groups': LinkGroups,
  'service-cards': ServiceCards,
  'team-models': TeamModels,
};

/** Kinds with positions, whose page has the form to apply. */
const WITH_FORM = new Set<Section['kind']>(['jobs', 'job']);

/** A section, drawn by the one component of its kind. */
export function SectionView({ section }: { section: Section }) {
  const Component = components[section.kind] as ComponentType<{ section: Section }>;
  return (
    <>
      <Component section={section} />
      {WITH_FORM.has(section.kind) && DIALOG_FORM && <FormDialog form={DIALOG_FORM} />}
    </>
  );
}
