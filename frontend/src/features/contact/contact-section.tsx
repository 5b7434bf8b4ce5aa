import { Section } from '../../components/ui/section.tsx';
import type { SectionOf } from '../../content/schema.ts';
import { Island } from '../island.tsx';
import { ContactForm } from './contact-form.tsx';

export const ContactSection = ({ section }: { section: SectionOf<'contact-form'> }) => (
  <Section {...section} layout="form">
    <Island entry="src/features/contact/contact-island.ts">
      <ContactForm />
    </Island>
  </Section>
);
