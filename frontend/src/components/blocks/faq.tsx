import { Icon } from '../ui/icon.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Questions that open without script (`<details>`). */
export const Faq = ({ section }: { section: SectionOf<'faq'> }) => (
  <Section {...section} layout="narrow, staying">
    <div>
      {section.items.map(({ question, answer }) => (
        <details key={question} open={section.items.length < 3} className="border-b border-line first:border-t">
          <summary className="flex items-center justify-between gap-4 py-4 hover:text-signal">
            <h3 className="text-lg">{question}</h3>
            <Icon name="chevron-down" className="eased" />
          </summary>
          <RichText as="p" className="max-w-measure pb-6 text-muted" text={answer} />
        </details>
      ))}
    </div>
  </Section>
);
