import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from '../../content/schema.ts';

/** What it costs and how long it takes, at a glance; then what that depends on. */
export const Pricing = ({ section }: { section: SectionOf<'pricing'> }) => (
  <Section {...section}>
    <dl className="pricing">
      {section.facts.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <b>{value}</b> {note}
          </dd>
        </div>
      ))}
    </dl>
    {section.notes && (
      <div className="notes">
        {section.notes.map((note) => (
          <p key={note}>
            <RichText>{note}</RichText>
          </p>
        ))}
      </div>
    )}
  </Section>
);
