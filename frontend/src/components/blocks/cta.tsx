import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** What to do next. */
export const Cta = ({ section }: { section: SectionOf<'cta'> }) => <Section {...section} ground="night" />;
