import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** What it costs and how long it takes, at a glance; then what that depends on. */
export const Pricing = ({ section }: { section: SectionOf<'pricing'> }) => (
  <Section {...section} ground="tint">
    <dl className="grid auto-fit-13 gap-px overflow-hidden rounded-md border border-hue-line bg-hue-line">
      {section.facts.map(({ label, value, note }) => (
        <div key={label} className="bg-surface p-panel">
          <dt>{label}</dt>
          <dd className="text-muted">
            <b className="block py-1 figure text-2xl text-ink">{value}</b> {note}
          </dd>
        </div>
      ))}
    </dl>
    {section.notes && (
      <div className="grid auto-fit-20 gap-x-cell gap-y-3">
        {section.notes.map((note, index) => (
          <p key={index} className="max-w-measure">
            <RichText>{note}</RichText>
          </p>
        ))}
      </div>
    )}
  </Section>
);
