import { Picture } from '../ui/picture.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from '../../content/schema.ts';

/** Paragraphs beside their heading, with a picture or a few facts where the content has them. */
export const Prose = ({ section }: { section: SectionOf<'prose'> }) => (
  <Section {...section}>
    <div className="prose">
      {section.paragraphs.map((paragraph) => (
        <p key={paragraph}>
          <RichText>{paragraph}</RichText>
        </p>
      ))}
    </div>
    {section.facts && (
      <dl className="facts">
        {section.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )}
    {section.picture && <Picture picture={section.picture} sizes="(min-width: 60rem) 33rem, 100vw" />}
  </Section>
);
