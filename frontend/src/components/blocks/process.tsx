import { CheckList } from '../ui/check-list.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from '../../content/schema.ts';

/** Steps in their order, joined by a line. */
export const Process = ({ section }: { section: SectionOf<'process'> }) => (
  <Section {...section}>
    <ol className={`process process--${section.steps.length}`}>
      {section.steps.map(({ step, title, description, duration, deliverables }) => (
        <li key={step}>
          <span className="step">{step}</span>
          <div>
            <h3>{title}</h3>
            {duration && <p className="duration">{duration}</p>}
            <p>
              <RichText>{description}</RichText>
            </p>
            {deliverables && <CheckList items={deliverables} />}
          </div>
        </li>
      ))}
    </ol>
    {section.summary && (
      <p className="summary">
        <RichText>{section.summary}</RichText>
      </p>
    )}
  </Section>
);
