import { wording, type Specimen as SpecimenContent } from 'virtual:content';
import { RichText } from './rich-text.tsx';

/** A sheet of paper as a client gets it, white in both themes. Its heading says that it is an example. */
export const Specimen = ({ specimen, className }: { specimen: SpecimenContent; className: string }) => (
  <figure
    className={`grid rotate-[-1.2deg] gap-6 bg-white p-6 text-ink [color-scheme:light] elevation-bar sm:p-10 lg:mr-2 print:rotate-none ${className}`}
  >
    <figcaption className="font-display text-xl leading-tight font-bold">
      {`${specimen.heading} (${wording.figures.specimen})`}
    </figcaption>
    <dl className="grid gap-4">
      {specimen.lines.map(({ label, text, yours }) => (
        <div key={label} className="items-baseline gap-x-4 border-t border-line pt-3 sm:grid sm:grid-cols-[2fr_5fr]">
          <dt className={`font-display leading-tight font-bold ${yours ? 'text-signal' : 'text-ink'}`}>{label}</dt>
          <RichText as="dd" className="leading-snug" text={text} />
        </div>
      ))}
    </dl>
  </figure>
);
