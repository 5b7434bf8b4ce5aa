import { brand, company, wording } from 'virtual:content';

const { viewBox, shapes, ratio, isWordmark } = brand.logo;

/** Height of a mark in pixels. */
const HEIGHT = 32;

/** A longer name is smaller, and wraps. */
const LONG_NAME = 16;

/**
 * The company's logo, of any width, with a link to the home page. What it draws in `currentColor` has the colour of the
 * text; elements of the class `mark-accent` are light on dark.
 */
export const Logo = ({ className = '' }: { className?: string }) => (
  <a
    className={`inline-flex min-h-11 items-center gap-2 font-display font-heavy tracking-tight no-underline ${company.name.length > LONG_NAME ? 'text-sm/tight' : 'text-[1.4rem] leading-none'} ${className}`.trim()}
    href="/"
    aria-label={wording.frame.home}
  >
    <svg
      className="block max-w-full flex-none"
      width={Math.round(HEIGHT * ratio)}
      height={HEIGHT}
      viewBox={viewBox}
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: shapes }}
    />
    {!isWordmark && <bdi className="text-left">{company.name}</bdi>}
  </a>
);
