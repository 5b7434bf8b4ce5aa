import images from 'virtual:images';
import type { SectionOf } from 'virtual:content';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';

/** Below this width the drawing made for phones is shown: the wide one's letters would fall under 12 pixels. */
const WIDE = '(min-width: 48rem)';

/** A drawing that explains the page's subject, and beneath it the same in words. */
export function Figure({ section }: { section: SectionOf<'figure'> }) {
  const { figure, alt, caption, words, ordered } = section;
  const [wide, narrow] = [images[`figures/${figure}`], images[`figures/${figure}-narrow`]];
  if (!wide || !narrow) throw new Error(`content/images/figures lacks ${figure}.svg or ${figure}-narrow.svg`);
  const List = ordered ? 'ol' : 'ul';
  return (
    <Section {...section}>
      <figure className="grid gap-x-cell gap-y-6 bar:grid-cols-[minmax(0,60rem)_minmax(14rem,1fr)]">
        <picture>
          <source media={WIDE} srcSet={wide.src} width={wide.width} height={wide.height} />
          <img
            src={narrow.src}
            alt={alt}
            width={narrow.width}
            height={narrow.height}
            loading="lazy"
            decoding="async"
            className="mx-auto h-auto w-full max-w-104 min-[48rem]:max-w-240 print:break-inside-avoid"
          />
        </picture>
        <figcaption className="max-w-measure self-end text-sm leading-normal text-muted">
          <p>
            <RichText>{caption}</RichText>
          </p>
          {words && (
            <details className="mt-3">
              <summary className="w-fit cursor-pointer py-1 font-medium text-hue-ink underline underline-offset-4">
                In words
              </summary>
              <List className={`mt-2 grid gap-2 pl-5 ${ordered ? 'list-decimal' : 'list-disc'} marker:text-hue-ink`}>
                {words.map((item, index) => (
                  <li key={index}>
                    <RichText>{item}</RichText>
                  </li>
                ))}
              </List>
            </details>
          )}
        </figcaption>
      </figure>
    </Section>
  );
}
