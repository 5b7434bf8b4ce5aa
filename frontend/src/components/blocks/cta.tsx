import { useLocation } from 'react-router-dom';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { KiteOutline } from '../ui/service-mark.tsx';
import type { SectionOf } from 'virtual:content';

/**
 * Closing call to action, on some pages with what happens next as knots of a string, or with the reader's empty place in
 * our formation. A service's page ends with its kite.
 */
export function Cta({ section }: { section: SectionOf<'cta'> }) {
  const { pathname } = useLocation();
  return (
    <Section {...section} ground={section.place ? 'tint' : 'night'} layout="closing">
      {section.next && (
        <ol className="knotted-string grid max-w-measure gap-6 wide:max-w-72">
          {section.next.map(({ when, what }) => (
            <li key={when} className="grid gap-1">
              <b>{when}</b>
              <RichText as="p" text={what} />
            </li>
          ))}
        </ol>
      )}
      <KiteOutline
        href={pathname}
        className={`-mt-4 -mb-10 ml-auto size-44 rotate-12 sm:absolute sm:right-10 sm:bottom-3 sm:m-0 sm:size-32 ${section.next ? 'lg:max-wide:hidden wide:top-1/2 wide:right-[calc(50vw-42rem)] wide:size-64 wide:-translate-y-1/2' : 'lg:inset-y-[6%] lg:right-[max(3rem,50vw-36rem)] lg:h-[88%] lg:w-auto'}`}
      />
      {section.place && <EmptyPlace />}
    </Section>
  );
}

/** Outline of a kite of 110 by 150 units. */
const KITE = 'M62 0Q75 34 94 65Q53 102 14 150Q13 90 6 38Q35 22 62 0z';

/** A red outline between two kites of ours. Hover and focus of the button fill it (`data-place`). */
const EmptyPlace = () => (
  <svg
    className="w-full max-w-112 forced-color-adjust-none cloth-in-hue lg:justify-self-end"
    viewBox="0 0 420 200"
    fill="none"
    aria-hidden="true"
  >
    {[10, 300].map((x, index) => (
      <g key={x} transform={`translate(${x} ${(1 - index) * 40 + 5})`}>
        <path className="fill-kite-2" d="M45 49 62 0Q75 34 94 65z" />
        <path className="fill-kite-3" d="M45 49 94 65Q53 102 14 150z" />
        <path className="fill-kite-4" d="M45 49 6 38Q35 22 62 0z" />
        <path className="fill-kite-5" d="M45 49 14 150Q13 90 6 38z" />
      </g>
    ))}
    <path className="fill-signal" data-place="" transform="translate(155 25)" d={KITE} />
    <path
      className="stroke-signal stroke-3"
      strokeDasharray="9 7"
      strokeLinejoin="round"
      transform="translate(155 25)"
      d={KITE}
    />
  </svg>
);
