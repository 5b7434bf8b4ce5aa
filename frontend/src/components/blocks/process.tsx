import { CheckList } from '../ui/check-list.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { motif, type SectionOf } from 'virtual:content';

/** On a wide screen, three to five steps go from left to right, and six down two columns. */
const isRow = (count: number) => count >= 3 && count <= 5;

function shapeOf(count: number) {
  if (isRow(count)) return 'xl:auto-cols-fr xl:grid-flow-col xl:gap-x-cell xl:*:grid-cols-1';
  if (count === 6) return 'xl:grid-flow-col xl:grid-cols-2 xl:grid-rows-3 xl:gap-x-part';
  return '';
}

/** Steps in their order. */
export function Process({ section }: { section: SectionOf<'process'> }) {
  /** Without a drawing above them, the steps of a row go up a climbing string, if the brand has kites. */
  const climbs = motif === 'kite' && isRow(section.steps.length) && !section.drawing;
  return (
    <Section {...section} {...(section.steps.some(({ yours }) => yours) && { ground: 'tint' })}>
      {section.drawing && <Drawing {...section.drawing} />}
      <div className={climbs ? 'relative xl:my-8' : undefined}>
        {climbs && (
          <svg
            className="absolute w-full -translate-y-1/2 fill-none stroke-hue stroke-[1.5] max-xl:hidden"
            viewBox="0 0 1280 64"
            aria-hidden="true"
          >
            <path d="M0 64 1280 0" />
          </svg>
        )}
        <ol className={`grid gap-y-6 ${shapeOf(section.steps.length)} ${climbs ? 'climbing' : ''}`.trim()}>
          {section.steps.map(({ step, title, description, duration, deliverables, yours }) => (
            <li
              key={step}
              className={`relative grid grid-cols-[3rem_1fr] content-start ${yours ? 'xl:before:scale-200 xl:before:bg-signal!' : ''}`.trim()}
            >
              <span className={`pt-1 figure text-xl ${yours ? 'text-signal' : 'text-hue-ink'}`}>{step}</span>
              <div>
                <h3 className="mb-2">{title}</h3>
                {duration && <p className="mb-2 max-w-measure font-semibold text-hue-ink">{duration}</p>}
                <RichText as="p" className="max-w-measure" text={description} />
                {deliverables && <CheckList items={deliverables} className="mt-3 text-sm" />}
              </div>
            </li>
          ))}
        </ol>
      </div>
      {section.summary && <RichText as="p" className="max-w-160 text-lg font-medium" text={section.summary} />}
    </Section>
  );
}
