import { Facts } from '../ui/facts.tsx';
import { Picture } from '../ui/picture.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/**
 * Paragraphs beside their heading, with a picture or a few facts where the content has them. What asks for an answer
 * stands out from what only tells.
 */
export const Prose = ({ section }: { section: SectionOf<'prose'> }) => (
  <Section
    {...section}
    ground={section.actions ? 'tint' : 'paper'}
    layout={section.picture ? 'beside, filled' : 'beside'}
  >
    <div
      className={`grid max-w-measure content-start gap-4 text-lg ${section.picture ? 'lg:col-start-2 lg:row-span-2 lg:row-start-1' : ''}`.trim()}
    >
      {section.paragraphs.map((paragraph, index) => (
        <p key={index} className="leading-relaxed">
          <RichText>{paragraph}</RichText>
        </p>
      ))}
    </div>
    {section.facts && <Facts facts={section.facts} className={section.picture ? 'lg:col-start-2' : ''} />}
    {section.picture && (
      <Picture
        picture={section.picture}
        sizes="(min-width: 60rem) 33rem, 100vw"
        className="lg:col-start-1 lg:row-start-2"
        imgClassName="h-auto w-full rounded-md"
      />
    )}
  </Section>
);
