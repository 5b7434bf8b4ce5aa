import { company } from 'virtual:content';
import logo from '#content/images/logo.svg?raw';

const [, viewBox, drawing = ''] = /viewBox="([^"]+)"[^>]*>(.*)<\/svg>/s.exec(logo) ?? [];

/** The company's mark in the colour of the text, except for elements of the class `mark-accent`. */
export const Mark = () => (
  <svg
    className="block h-9 w-8 flex-none"
    viewBox={viewBox}
    aria-hidden="true"
    dangerouslySetInnerHTML={{ __html: drawing }}
  />
);

/** A longer name is smaller, and wraps. */
const LONG_NAME = 16;

/** Logo with a link to the home page. */
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
