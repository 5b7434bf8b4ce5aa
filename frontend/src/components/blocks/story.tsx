import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from '../../content/schema.ts';

/** A story told in parts. */
export const Story = ({ section }: { section: SectionOf<'story'> }) => (
  <Section {...section}>
    <div className="story">
      {section.parts.map(({ title, paragraphs }) => (
        <div key={title}>
          <h3>{title}</h3>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>
              <RichText>{paragraph}</RichText>
            </p>
          ))}
        </div>
      ))}
    </div>
  </Section>
);
