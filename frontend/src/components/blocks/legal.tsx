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
      <div className="prose">
        <p className="text-muted">Last updated {section.lastUpdated}</p>
        {section.clauses.map(({ id, title, blocks }) => (
          <section key={id} id={id}>
            <h2>{title}</h2>
            {blocks.map((block, index) =>
              'list' in block ? (
                <ul key={index}>
                  {block.list.map((item, place) => (
                    <li key={place}>
                      <RichText>{item}</RichText>
                    </li>
                  ))}
                </ul>
              ) : (
                <p key={index}>
                  <RichText>{block}</RichText>
                </p>
              ),
            )}
          </section>
        ))}
      </div>
    </div>
  </div>
);
