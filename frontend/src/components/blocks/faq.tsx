import { Icon } from '../ui/icon.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from '../../content/schema.ts';

/** Questions that open on their own, without a script. */
export const Faq = ({ section }: { section: SectionOf<'faq'> }) => (
  <Section {...section}>
    <div className="faq">
      {section.items.map(({ question, answer }) => (
        <details key={question}>
          <summary>
            <h3>{question}</h3>
            <Icon name="chevron-down" />
          </summary>
          <p>
            <RichText>{answer}</RichText>
          </p>
        </details>
      ))}
    </div>
  </Section>
);
