import { Section } from '../components/section.tsx';
import type { CtaSection } from '../content/sections.ts';

/** What to do next. */
export const Cta = ({ section }: { section: CtaSection }) => <Section {...section} />;
