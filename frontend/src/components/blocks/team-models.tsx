import { Lines } from '../ui/check-list.tsx';
import { columns } from '../ui/columns.ts';
import { RichText, withoutBreaks } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { motif, wording, type SectionOf } from 'virtual:content';

const words = wording.teams;

/** Width of a kite and its gap in a train, in pixels. */
const PITCH = 18;

/** A kite for each person of "2-4 people": filled up to the smallest team, outlined up to the largest. */
function Train({ size }: { size: string }) {
  const [least = 0, most = least] = (size.match(/\d+/g) ?? []).map(Number);
  const kites = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `M${(from + index) * PITCH + 8} 1l7 8-7 14-7-14z`).join('');
  return (
    <svg
      className="max-w-full fill-surface stroke-hue"
      viewBox={`0 0 ${most * PITCH} 24`}
      width={most * PITCH}
      height="24"
      aria-hidden="true"
    >
      <path d={`M0 9H${most * PITCH}`} />
      <path d={kites(least, most)} />
      <path className="fill-hue" d={kites(0, least)} />
    </svg>
  );
}

/** Team models. Icon, price and duration are notes of the writers, and not shown. */
export const TeamModels = ({ section }: { section: SectionOf<'team-models'> }) => (
  <Section {...section}>
    <ul className={`grid gap-x-cell gap-y-8 ${columns(section.models.length)}`}>
      {section.models.map(({ id, name, ideal, size, description, team, features }) => (
        <li key={id} className="grid content-start gap-3 border-t border-line pt-card">
          <h3>{name}</h3>
          {motif === 'kite' && <Train size={size} />}
          <p className="figure text-2xl text-ink">{withoutBreaks(size)}</p>
          <p>
            <b className="text-ink">{words.ideal}</b> {ideal}
          </p>
          <RichText as="p" text={description} />
          <h4 className="-mb-1">{words.team}</h4>
          <Lines items={team} />
          <h4 className="-mb-1">{words.features}</h4>
          <Lines items={features} />
        </li>
      ))}
    </ul>
  </Section>
);
