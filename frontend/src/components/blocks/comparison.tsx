import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { motif, type SectionOf } from 'virtual:content';

/** Classes of all cells, set on the table: repeated on each cell they would be a tenth of the page. */
const CELLS =
  '[&_:is(td,th)]:border-b [&_:is(td,th)]:border-line [&_:is(td,th)]:px-3 [&_:is(td,th)]:py-3 [&_:is(td,th)]:align-top lg:[&_:is(td,th)]:px-4';

/** Comparison of offers: a choice of kites, and a table with a column for each. */
export const Comparison = ({ section }: { section: SectionOf<'comparison'> }) => (
  <Section {...section} drawing={section.choice}>
    <Choice section={section} />
    <table className={`w-full table-fixed border-collapse text-left leading-snug ${CELLS}`}>
      <thead>
        <tr>
          <th scope="col" className="w-28 text-muted lg:w-44">
            {section.corner}
          </th>
          {section.columns.map((column, index) => (
            <RichText as="th" key={index} scope="col" className="text-lg font-bold" text={column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {section.rows.map(({ name, cells }) => (
          <tr key={name}>
            <th scope="row" className="font-display text-lg leading-tight font-bold">
              {name}
            </th>
            {cells.map((cell, index) => (
              <RichText as="td" key={index} text={cell} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Section>
);

/** Quarters of a kite, or of a box, from the upper left, with the place of each one's text: from the spine outwards. */
const QUARTERS: readonly { path: string; x: number; y: number; anchor: 'start' | 'middle' | 'end' }[] =
  motif === 'kite'
    ? [
        { path: 'M0-60V0H-72z', x: -4, y: -6, anchor: 'end' },
        { path: 'M0-60V0H72z', x: 4, y: -6, anchor: 'start' },
        { path: 'M0 92V0H-72z', x: -4, y: 15, anchor: 'end' },
        { path: 'M0 92V0H72z', x: 4, y: 15, anchor: 'start' },
      ]
    : [
        { path: 'M0-60V0H-72V-60z', x: -36, y: -26, anchor: 'middle' },
        { path: 'M0-60V0H72V-60z', x: 36, y: -26, anchor: 'middle' },
        { path: 'M0 60V0H-72V60z', x: -36, y: 34, anchor: 'middle' },
        { path: 'M0 60V0H72V60z', x: 36, y: 34, anchor: 'middle' },
      ];

/** Number of letters that fit a quarter: of three kites in a row on a phone, and of a large one. */
const FITTING = { phone: 6, large: 10 };

const SIDES = ['you', 'both', 'we'] as const;

/** A kite for each column. The style sheet lifts the chosen one and shows its column, without script (`kite-choice`). */
function Choice({ section: { choice, heading } }: { section: SectionOf<'comparison'> }) {
  const longest = Math.max(...choice.parts.map(({ length }) => length));
  const fontSize = longest > FITTING.large ? `${(FITTING.large / longest).toFixed(2)}em` : undefined;
  // Long words have room on a phone if the kites are one below the other.
  const stacked = longest > FITTING.phone ? 'max-sm:grid-cols-1 max-sm:[&_svg]:max-w-56 max-sm:[&_svg]:text-[9px]' : '';
  return (
    <div className={`kite-choice ${stacked}`.trim()} role="radiogroup" aria-label={heading}>
      {choice.options.map(({ label, parts }, option) => (
        <label key={label}>
          <svg viewBox={motif === 'kite' ? '-74 -62 148 178' : '-74 -62 148 124'} aria-hidden="true">
            {SIDES.filter((side) => parts.includes(side)).map((side) => (
              <path
                key={side}
                className={side === 'you' ? side : undefined}
                fill={side === 'both' ? 'url(#site-both)' : undefined}
                d={QUARTERS.map(({ path }, index) => (parts[index] === side ? path : '')).join('')}
              />
            ))}
            {motif === 'kite' && <path d="M0 92V114" />}
            {QUARTERS.map(({ path, x, y, anchor }, index) => (
              <text key={path} x={x} y={y} textAnchor={anchor} fontSize={fontSize}>
                {choice.parts[index]}
              </text>
            ))}
          </svg>
          <span>
            <input type="radio" name="choice" defaultChecked={option === 0} />
            {label}
          </span>
        </label>
      ))}
      <svg className="absolute size-0" aria-hidden="true">
        <pattern id="site-both" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className="fill-hue" d="M0 0H12V12H0z" />
          <path className="you" d="M0 0H5V12H0z" />
        </pattern>
      </svg>
    </div>
  );
}
