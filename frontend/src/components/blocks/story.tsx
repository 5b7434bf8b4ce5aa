import { Drawing } from '../ui/drawing.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** A story told in parts, and drawn where the content has a drawing. */
export const Story = ({ section }: { section: SectionOf<'story'> }) => (
  <Section {...section}>
    {section.drawing && <Drawing {...section.drawing} />}
    <div className="grid gap-8 lg:grid-cols-3">
      {section.parts.map(({ title, paragraphs }) => (
        <div key={title} className="grid content-start gap-3 border-l-2 border-hue pl-6">
          <h3>{title}</h3>
          {paragraphs.map((paragraph, index) => (
            <RichText as="p" key={index} className="max-w-measure text-muted" text={paragraph} />
          ))}
        </div>
      ))}
    </div>
  </Section>
);
