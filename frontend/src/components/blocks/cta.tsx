import { useLocation } from 'react-router-dom';
import { RichText, withoutBreaks } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { KiteOutline } from '../ui/service-mark.tsx';
import type { SectionOf } from 'virtual:content';

/** Closing call to action, on some pages with what happens next as knots of a string. Each page ends with a kite. */
export function Cta({ section }: { section: SectionOf<'cta'> }) {
  const { pathname } = useLocation();
  return (
    <Section {...section} ground="night" layout="closing">
      {section.next && (
        <ol className="knotted-string grid max-w-measure gap-6 sm:max-lg:mr-32 wide:max-w-72">
          {section.next.map(({ when, what }) => (
            <li key={when} className="grid gap-1">
              <b className="font-display">{withoutBreaks(when)}</b>
              <RichText as="p" text={what} />
            </li>
          ))}
        </ol>
      )}
      <KiteOutline
        href={pathname}
        className={`-mt-4 -mb-2 ml-auto size-36 rotate-12 sm:absolute sm:right-6 sm:bottom-5 sm:m-0 sm:size-28 ${section.next ? 'lg:max-wide:hidden wide:top-1/2 wide:right-[calc(50vw-41rem)] wide:size-64 wide:[translate:0_-50%]' : 'lg:inset-y-[6%] lg:right-[max(3rem,50vw-36rem)] lg:h-[88%] lg:w-auto'}`}
      />
    </Section>
  );
}
