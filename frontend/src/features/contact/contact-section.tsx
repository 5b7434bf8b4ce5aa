import { RichText } from '../../components/ui/rich-text.tsx';
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
    <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
      <Island name="contact">
        <ContactForm />
      </Island>
    </div>
    <RisingKite />
    {section.promises && (
      <section className="mt-8 lg:col-span-2">
        <h2 className="mb-5 text-xl">{section.promises.heading}</h2>
        <ul className="grid gap-x-cell gap-y-5 lg:grid-cols-3">
          {section.promises.items.map(({ title, description }) => (
            <li key={title} className="border-t border-hue/25 pt-5">
              <h3 className="mb-2 text-lg">{title}</h3>
              <RichText as="p" text={description} />
            </li>
          ))}
        </ul>
      </section>
    )}
  </Section>
);

/** String and kite are separate drawings: one is stretched, the other moved. */
const RisingKite = () => (
  <div className="rising-kite" data-rising-kite="" aria-hidden="true">
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" fill="none">
      <path
        className="stroke-ink stroke-2 [vector-effect:non-scaling-stroke]"
        d="M42 0C47 40 44 88 66 97S92 100 100 100"
      />
    </svg>
    <svg viewBox="0 0 120 144" fill="none">
      <path className="fill-kite-2" d="M77 45 84 0 118 52z" />
      <path className="fill-kite-3" d="M77 45 14 34 84 0z" />
      <path className="fill-kite-4" d="M77 45 118 52 60 144z" />
      <path className="fill-kite-6" d="M77 45 60 144 14 34z" />
      <path className="stroke-ink stroke-2" strokeLinejoin="round" d="M84 0 60 144M14 34 118 52" />
    </svg>
  </div>
);
