import type { SectionOf } from 'virtual:content';
import { Drawing } from '../ui/drawing.tsx';
import { FactRow } from '../ui/facts.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';

/** The page's one idea: a sentence, the drawing that explains it, and all of it as text. */
export function Figure({ section }: { section: SectionOf<'figure'> }) {
  const { drawing, caption, words, ordered, facts } = section;
  const List = ordered ? 'ol' : 'ul';
  return (
    <Section {...section} intro={caption}>
      <figure className="grid gap-6">
        <Drawing {...drawing} />
        <figcaption>
          <details>
            <summary className="w-fit cursor-pointer py-1 text-sm font-medium text-hue-ink underline underline-offset-4">
              Read this as text
            </summary>
            <List
              className={`mt-2 grid max-w-measure gap-2 pl-5 ${ordered ? 'list-decimal' : 'list-disc'} marker:text-hue-ink`}
            >
              {words.map((item, index) => (
                <RichText as="li" key={index} text={item} />
              ))}
            </List>
          </details>
        </figcaption>
      </figure>
      {facts && <FactRow facts={facts} />}
    </Section>
  );
}
