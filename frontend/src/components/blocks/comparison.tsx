import { Drawing } from '../ui/drawing.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Of every cell, said once: a class on each would be a tenth of the page. */
const CELLS =
  '[&_:is(td,th)]:border-b [&_:is(td,th)]:border-line [&_:is(td,th)]:py-3 [&_:is(td,th)]:pr-6 [&_:is(td,th)]:align-top';
/** Stays in view while the others pass on a narrow screen. */
const ROW_NAME = 'sticky left-0 w-44 font-medium text-muted';

/** Offers side by side: a column each, what they differ in row by row. */
export const Comparison = ({ section }: { section: SectionOf<'comparison'> }) => (
  <Section {...section}>
    {section.drawing && <Drawing {...section.drawing} className="max-sm:hidden xl:px-20" />}
    <Stacked section={section} />
    {/* What scrolls must be reached by the keys that scroll it. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <section className="overflow-x-auto max-sm:hidden" aria-label={section.heading} tabIndex={0}>
      <table className={`w-full min-w-176 table-fixed border-collapse text-left leading-snug ${CELLS}`}>
        <thead>
          <tr>
            <th scope="col" className={`${ROW_NAME} ${section.drawing ? 'bg-hue-tint' : 'bg-paper'}`}>
              Model
            </th>
            {section.columns.map((column, index) => (
              <RichText as="th" key={index} scope="col" className="text-lg font-bold" text={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {section.rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row" className={`${ROW_NAME} ${section.drawing ? 'bg-hue-tint' : 'bg-paper'}`}>
                {name}
              </th>
              {cells.map((cell, index) => (
                <RichText as="td" key={index} text={cell} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </Section>
);

/** On a phone, where columns would be narrower than their words: one offer after the other. */
const Stacked = ({ section: { columns, rows } }: { section: SectionOf<'comparison'> }) => (
  <div className="grid gap-8 sm:hidden">
    {columns.map((column, index) => (
      <div key={index}>
        <RichText as="h3" className="mb-2 text-lg" text={column} />
        <dl>
          {rows.map(({ name, cells }) => (
            <div key={name} className="grid grid-cols-[7rem_1fr] gap-3 border-t border-line py-2 leading-snug">
              <dt>{name}</dt>
              <RichText as="dd" text={cells[index] ?? []} />
            </div>
          ))}
        </dl>
      </div>
    ))}
  </div>
);
