import { company } from 'virtual:content';
import logo from '../../../content/images/logo.svg?raw';

const [, viewBox, drawing = ''] = /viewBox="([^"]+)"[^>]*>(.*)<\/svg>/s.exec(logo) ?? [];

/** The company's mark, in the text's colour; the style sheet colours what has the class `mark-accent`. */
export const Mark = () => (
  <svg
    className="block h-9 w-8 flex-none"
    viewBox={viewBox}
    aria-hidden="true"
    dangerouslySetInnerHTML={{ __html: drawing }}
  />
);

/** A longer name is set smaller, and breaks. */
const LONG_NAME = 16;

/** Mark and name, which lead home. */
export const Logo = ({ className = '' }: { className?: string }) => (
  <a
    className={`inline-flex min-h-11 items-center gap-2 font-display font-heavy tracking-tight no-underline ${company.name.length > LONG_NAME ? 'text-sm/tight' : 'text-[1.4rem] leading-none'} ${className}`.trim()}
    href="/"
    aria-label={`${company.name}, home`}
  >
    <Mark />
    <bdi className="text-left">{company.name}</bdi>
  </a>
);

/** Divides two sections: a line with one small kite on it. */
export const KiteDivider = () => (
  <svg className="block h-6 w-24" viewBox="0 0 96 24" fill="none" aria-hidden="true">
    <path className="stroke-line stroke-2" strokeLinecap="round" strokeLinejoin="round" d="M0 12h37M59 12h37" />
    <path className="fill-kite-2" d="M48 1 55 9 48 12z M48 12 41 9 48 23z" />
    <path className="fill-kite-5" d="M48 1 41 9 48 12z M48 12 55 9 48 23z" />
  </svg>
);
