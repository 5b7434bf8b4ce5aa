import type { Form } from 'form-service/contract/define-form';
import { formOf } from 'form-service/contract/forms';
import { motif, type SectionOf } from 'virtual:content';
import images from 'virtual:images';
import { Points } from '../components/ui/points.tsx';
import { Section } from '../components/ui/section.tsx';
import { Island } from './island.tsx';

/** Place of the promises: below the form and the kite, or next to the form. */
const PROMISES = {
  kite: { className: 'mt-6 lg:col-span-2', columns: 'lg:grid-cols-3' },
  none: { className: 'lg:col-start-1', columns: '' },
} as const;

/**
 * A form, and next to it, below the heading, a kite on a string that the submit button holds; it rises with each field
 * that is filled in. Below are the promises. The style sheet counts the fields, so the kite rises without script.
 */
export const FormSection = ({ section }: { section: SectionOf<'form'> }) => (
  <Section {...section} ground="tint" quiet layout="beside, filled">
    <div className="col-start-1 row-start-1 lg:col-start-2 lg:row-span-2">
      <Island form={formOf(section.form) as Form} />
    </div>
    {motif === 'kite' && <RisingKite />}
    {section.promises && <Points points={section.promises} {...PROMISES[motif]} />}
  </Section>
);

const kite = images['drawings/rising-kite']?.drawing;

/** Wind and string are stretched to the height of the form, the kite is only moved. A phone has a string of its own. */
const RisingKite = () => (
  <div className="rising-kite lg:row-start-2" data-rising-kite="" aria-hidden="true">
    <svg className="max-lg:hidden" viewBox="0 0 100 100" preserveAspectRatio="none" fill="none">
      <path className="stroke-hue/20" d="M0-12C26-20 36-4 56-10S78-22 88-20M8 50C30 42 40 58 62 52S84 40 94 42" />
      <path data-string="" className="stroke-ink stroke-2" d="M42 0C47 40 44 88 66 97S92 100 100 100" />
    </svg>
    <div>
      <svg
        className="size-full"
        viewBox={kite?.viewBox}
        fill="none"
        dangerouslySetInnerHTML={{ __html: kite?.inner.replaceAll('\n', '') ?? '' }}
      />
    </div>
  </div>
);
