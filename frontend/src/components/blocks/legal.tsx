import { Markdown } from '../ui/markdown.tsx';
import { wording, type SectionOf } from 'virtual:content';

/** A title next to its text. */
const CLAUSE = 'grid gap-x-part gap-y-4 lg:grid-cols-[5fr_7fr]';

/** A legal text: its table of contents, then its parts. */
export const Legal = ({ section }: { section: SectionOf<'legal'> }) => (
  <div data-section="legal" className="py-part">
    <div className="page-width grid gap-5">
      <nav className={CLAUSE} aria-labelledby="site-toc">
        <div>
          <h2 id="site-toc" className="text-xl">
            {wording.legal.contents}
          </h2>
          <p className="mt-2 text-muted">{`${wording.legal.updated} ${section.lastUpdated}`}</p>
        </div>
        <ol className="columns-2 text-sm">
          {section.body.parts.map(({ id, title }) => (
            <li key={id}>
              <a className="block py-1 text-muted hover:text-ink hover:underline" href={`#${id}`}>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <Markdown blocks={section.body.lead} heading="h3" />
      {section.body.parts.map(({ id, title, blocks }) => (
        <section key={id} id={id} className={`border-t border-line pt-5 ${CLAUSE}`}>
          <h2 className="text-xl">{title}</h2>
          <div className="grid max-w-160 gap-4">
            <Markdown blocks={blocks} heading="h3" />
          </div>
        </section>
      ))}
    </div>
  </div>
);
