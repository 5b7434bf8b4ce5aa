import { RichText } from '../../components/ui/rich-text.tsx';
import { Section } from '../../components/ui/section.tsx';
import type { SectionOf } from 'virtual:content';
import { Island } from '../island.tsx';
import { ContactForm } from './contact-form.tsx';

/** The form comes first, also for those who hear the page; on a wide screen the promises stand beside it. */
export const ContactSection = ({ section }: { section: SectionOf<'contact-form'> }) => (
  <Section {...section} ground="tint" layout="beside, filled" quiet>
    <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
      <Island name="contact">
        <ContactForm />
      </Island>
    </div>
    {section.promises && (
      <section className="lg:col-start-1 lg:row-start-2">
        <h2 className="mb-5 text-xl">{section.promises.heading}</h2>
        <ul className="grid gap-5">
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
