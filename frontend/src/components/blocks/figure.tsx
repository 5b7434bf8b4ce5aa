import { wording, type SectionOf } from 'virtual:content';
import { Actions } from '../ui/actions.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';

/** Main idea of a page: a sentence, the drawing that explains it, and its text alternative. */
export function Figure({ section }: { section: SectionOf<'figure'> }) {
  const { drawing, caption, words, ordered, actions } = section;
  const List = ordered ? 'ol' : 'ul';
  return (
    <Section {...section} intro={caption} actions={undefined}>
      <figure className="flex flex-wrap items-baseline gap-x-6 gap-y-4">
        <Drawing {...drawing} />
        {actions && <Actions actions={actions} quiet />}
        <figcaption>
          <details>
            <summary className="w-fit cursor-pointer py-1 text-sm font-medium text-hue-ink underline underline-offset-4">
              {wording.figures.asText}
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
    </Section>
  );
}
