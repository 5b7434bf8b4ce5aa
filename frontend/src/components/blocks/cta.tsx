import { Section } from '../ui/section.tsx';
import type { CtaSection } from '../../content/sections.ts';

/** What to do next. */
export const Cta = ({ section }: { section: CtaSection }) => <Section {...section} ground="night" />;
