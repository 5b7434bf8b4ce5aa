import { RichText } from '../ui/rich-text.tsx';
import type { SectionOf } from 'virtual:content';

/** A legal text: its table of contents, then its clauses. */
export const Legal = ({ section }: { section: SectionOf<'legal'> }) => (
  <div data-section="legal" className="py-band">
    <div className="page-width grid gap-part lg:grid-cols-[1fr_2.4fr]">
      <nav
        className="lg:sticky lg:top-26 lg:max-h-[calc(100dvh-7.5rem)] lg:self-start lg:overflow-y-auto"
        aria-labelledby="toc"
      >
        <h2 id="toc" className="mb-3 text-lg">
          Contents
        </h2>
        <ol className="grid border-l-2 border-line text-sm">
          {section.clauses.map(({ id, title }) => (
            <li key={id}>
              <a className="block px-4 py-1 text-muted no-underline hover:text-ink" href={`#${id}`}>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="grid max-w-176 content-start gap-10">
        <p className="text-muted">Last updated {section.lastUpdated}</p>
        {section.clauses.map(({ id, title, blocks }) => (
          <section key={id} id={id} className="grid gap-[0.9rem]">
            <h2 className="text-xl">{title}</h2>
            {blocks.map((block, index) =>
              'list' in block ? (
                <ul key={index} className="grid list-disc gap-[0.4rem] pl-5">
                  {block.list.map((item, place) => (
                    <RichText as="li" key={place} text={item} />
                  ))}
                </ul>
              ) : (
                <RichText as="p" key={index} text={block} />
              ),
            )}
          </section>
        ))}
      </div>
    </div>
  </div>
);
