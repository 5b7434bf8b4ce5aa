import { homeKitePaths, markPaths } from './kite-paths.ts';

/** The company's mark: a kite whose struts are the gaps between its panels. In the text's colour, one panel in `.mark-accent`. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path fill="currentColor" d={markPaths.sail} />
    <path className="mark-accent" d={markPaths.accent} />
    <path fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" d={markPaths.tail} />
  </svg>
);

/** The home page's kite. Coloured by `.kite-1` (lightest cloth) to `.kite-6`, `.kite-line`, `.kite-bow`, `.kite-plan` and `.kite-wind`. */
export const HomeKite = () => (
  <svg className="home-kite" viewBox="0 0 640 720" fill="none" aria-hidden="true">
    <path className="kite-wind" d={homeKitePaths.wind} />
    <path className="kite-plan" d={homeKitePaths.plan} />
    {homeKitePaths.tones.map((path, index) => (
      <path key={path} className={`kite-${index + 1}`} d={path} />
    ))}
    <path className="kite-line" d={homeKitePaths.struts + homeKitePaths.string} />
    <path className="kite-bow" d={homeKitePaths.bows} />
  </svg>
);

/** Divides two sections: a line with one small kite on it. */
export const KiteDivider = () => (
  <svg className="kite-divider" viewBox="0 0 96 24" fill="none" aria-hidden="true">
    <path className="kite-line" d="M0 12h37M59 12h37" />
    <path className="kite-2" d="M48 1 55 9 48 12z M48 12 41 9 48 23z" />
    <path className="kite-5" d="M48 1 41 9 48 12z M48 12 55 9 48 23z" />
  </svg>
);
