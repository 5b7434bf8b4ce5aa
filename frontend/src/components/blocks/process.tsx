import { CheckList } from '../ui/check-list.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** The line from a step's kite to the next one's. */
const LINE = 'absolute top-14 bottom-0 left-6.75 w-0.5 bg-line';

/** On a wide screen, three to five steps go from left to right, and six down two columns. */
function shapeOf(count: number) {
  if (count >= 3 && count <= 5)
    return {
      list: 'xl:auto-cols-fr xl:grid-flow-col xl:gap-cell',
      item: 'xl:grid-cols-1 xl:content-start xl:p-0',
      lineOf: () => 'xl:top-7 xl:-right-cell xl:bottom-auto xl:left-17 xl:h-0.5 xl:w-auto',
    };
  if (count === 6)
    return {
      list: 'xl:grid-flow-col xl:grid-cols-2 xl:grid-rows-3 xl:gap-x-part',
      item: '',
      lineOf: (index: number) => (index === 2 ? 'xl:hidden' : ''),
    };
  return { list: '', item: '', lineOf: () => '' };
}

/** Steps in their order, joined by a line. */
export function Process({ section }: { section: SectionOf<'process'> }) {
  const { list, item, lineOf } = shapeOf(section.steps.length);
  return (
    <Section {...section}>
      {section.drawing && <Drawing {...section.drawing} />}
      <ol className={`grid ${list}`.trim()}>
        {section.steps.map(({ step, title, description, duration, deliverables }, index) => (
          <li key={step} className={`relative grid grid-cols-[3.5rem_1fr] gap-4 pb-6 last:pb-0 ${item}`.trim()}>
            {index < section.steps.length - 1 && <span className={`${LINE} ${lineOf(index)}`.trim()} />}
            <span className="grid h-16 w-14 place-content-center bg-hue-deep pb-2 font-display leading-none font-bold text-on-hue kite">
              {step}
            </span>
            <div>
              <h3 className="mt-3 mb-2">{title}</h3>
              {duration && <p className="mb-2 max-w-measure font-semibold text-hue-ink">{duration}</p>}
              <RichText as="p" className="max-w-measure" text={description} />
              {deliverables && <CheckList items={deliverables} className="check-line mt-3 text-sm" />}
            </div>
          </li>
        ))}
      </ol>
      {section.summary && (
        <RichText as="p" className="border-l-3 border-hue px-5 py-4 text-lg font-medium" text={section.summary} />
      )}
    </Section>
  );
}
