import { Icon } from '../ui/icon.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Questions that open without script (`<details>`), in two columns, so that an open one moves only those below it. */
export const Faq = ({ section: { items, ...section } }: { section: SectionOf<'faq'> }) => {
  const half = Math.ceil(items.length / 2);
  return (
    <Section {...section} layout="narrow" marked>
      <div className="grid h-full items-start gap-x-cell border-b border-line lg:grid-cols-2">
        {[items.slice(0, half), items.slice(half)]
          .filter(({ length }) => length > 0)
          .map((column, index) => (
            <div key={index} className="border-t border-line">
              {column.map(({ question, answer }) => (
                <details key={question} open={items.length < 3} className="border-line not-last:border-b">
                  <summary className="flex items-center justify-between gap-4 py-4 hover:text-signal lg:min-h-20">
                    <h3 className="text-lg">{question}</h3>
                    <Icon name="chevron-down" className="eased" />
                  </summary>
                  <RichText as="p" className="max-w-measure pb-6 text-muted" text={answer} />
                </details>
              ))}
            </div>
          ))}
      </div>
    </Section>
  );
};
