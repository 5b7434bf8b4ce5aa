import { paths } from './home-kite-paths.ts';

/** The home page's kite. Coloured by `.kite-1` (lightest cloth) to `.kite-6`, `.kite-line`, `.kite-bow`, `.kite-plan` and `.kite-wind`. */
export const HomeKite = () => (
  <svg className="home-kite" viewBox="0 0 640 720" fill="none" aria-hidden="true">
    <path className="kite-wind" d={paths.wind} />
    <path className="kite-plan" d={paths.plan} />
    {paths.tones.map((path, index) => (
      <path key={path} className={`kite-${index + 1}`} d={path} />
    ))}
    <path className="kite-line" d={paths.struts + paths.string} />
    <path className="kite-bow" d={paths.bows} />
  </svg>
);
