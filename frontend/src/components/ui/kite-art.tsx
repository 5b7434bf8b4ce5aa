import { paths } from './mark-paths.ts';

/** The company's mark: a kite whose struts are the gaps between its panels. In the text's colour, one panel in `.mark-accent`. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path fill="currentColor" d={paths.sail} />
    <path className="mark-accent" d={paths.accent} />
    <path fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" d={paths.tail} />
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
