import { Points } from '../../components/ui/points.tsx';
import { Section } from '../../components/ui/section.tsx';
import type { SectionOf } from 'virtual:content';
import { Island } from '../island.tsx';
import { ContactForm } from './contact-form.tsx';

/**
 * The form, and next to it a kite on a string that the submit button holds; it rises with each field that is filled in.
 * Below both are the promises. The style sheet counts the fields, so the kite rises without script.
 */
export const ContactSection = ({ section }: { section: SectionOf<'contact-form'> }) => (
  <Section {...section} ground="tint" layout="beside, filled" quiet>
    <div className="col-start-1 row-start-1 lg:col-start-2 lg:row-span-2">
      <Island name="contact">
        <ContactForm />
      </Island>
    </div>
    <RisingKite />
    {section.promises && <Points points={section.promises} className="mt-8 lg:col-span-2" columns="lg:grid-cols-3" />}
  </Section>
);

/** Wind and string are stretched to the height of the form, the kite is only moved. A phone has a string of its own. */
const RisingKite = () => (
  <div className="rising-kite" data-rising-kite="" aria-hidden="true">
    <svg className="max-lg:hidden" viewBox="0 0 100 100" preserveAspectRatio="none" fill="none">
      <path className="stroke-hue/20" d="M0 12C26 4 36 20 56 14S78 2 88 4M8 54C30 46 40 62 62 56S84 44 94 46" />
      <path data-string="" className="stroke-ink stroke-2" d="M42 0C47 40 44 88 66 97S92 100 100 100" />
    </svg>
    <svg viewBox="0 0 120 144" fill="none">
      <path className="fill-kite-2" d="M77 45 84 0 118 52z" />
      <path className="fill-kite-3" d="M77 45 14 34 84 0z" />
      <path className="fill-kite-4" d="M77 45 118 52 60 144z" />
      <path className="fill-kite-6" d="M77 45 60 144 14 34z" />
      <path className="stroke-ink stroke-2" strokeLinejoin="round" d="M84 0 60 144M14 34 118 52" />
      <path className="stroke-ink stroke-2 lg:hidden" d="M60 144C60 180 93.6 160 93.6 210V400" />
    </svg>
  </div>
);
