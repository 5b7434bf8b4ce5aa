import logo from '../../../content/images/logo.svg?raw';

const [, viewBox, drawing = ''] = /viewBox="([^"]+)"[^>]*>(.*)<\/svg>/s.exec(logo) ?? [];

/** The company's mark, in the text's colour; the style sheet colours what has the class `mark-accent`. */
export const Mark = () => (
  <svg className="mark" viewBox={viewBox} aria-hidden="true" dangerouslySetInnerHTML={{ __html: drawing }} />
);

/** Divides two sections: a line with one small kite on it. */
export const KiteDivider = () => (
  <svg className="kite-divider" viewBox="0 0 96 24" fill="none" aria-hidden="true">
    <path className="kite-line" d="M0 12h37M59 12h37" />
    <path className="kite-2" d="M48 1 55 9 48 12z M48 12 41 9 48 23z" />
    <path className="kite-5" d="M48 1 41 9 48 12z M48 12 55 9 48 23z" />
  </svg>
);
