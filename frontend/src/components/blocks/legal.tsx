import { RichText } from '../ui/rich-text.tsx';
import type { SectionOf } from '../../content/schema.ts';

/** A legal text: its table of contents, then its clauses. */
export const Legal = ({ section }: { section: SectionOf<'legal'> }) => (
  <div className="section section--legal">
    <div className="wrap">
      <nav className="toc" aria-labelledby="toc">
        <h2 id="toc">Contents</h2>
        <ol>
          {section.clauses.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="clauses">
        <p className="updated">Last updated {section.lastUpdated}</p>
        {section.clauses.map(({ id, title, blocks }) => (
          <section key={id} id={id}>
            <h2>{title}</h2>
            {blocks.map((block) =>
              typeof block === 'string' ? (
                <p key={block}>
                  <RichText>{block}</RichText>
                </p>
              ) : (
                <ul key={block.list[0]}>
                  {block.list.map((item) => (
                    <li key={item}>
                      <RichText>{item}</RichText>
                    </li>
                  ))}
                </ul>
              ),
            )}
          </section>
        ))}
      </div>
    </div>
  </div>
);
