import { Section } from '../../components/section.tsx';
import type { ContactFormSection } from '../../content/sections.ts';
import { Toaster } from '../toast/toaster.tsx';
import { ContactForm } from './contact-form.tsx';

export const ContactSection = ({ section }: { section: ContactFormSection }) => (
  <Section {...section}>
    <ContactForm />
    <Toaster />
  </Section>
);
