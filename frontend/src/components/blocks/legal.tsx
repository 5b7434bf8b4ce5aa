import { Markdown } from '../ui/markdown.tsx';
import { PageMark } from '../ui/service-mark.tsx';
import { wording, type SectionOf } from 'virtual:content';

/** A legal text: its table of contents, which stays in view on a wide screen, then its parts. */
export const Legal = ({ section }: { section: SectionOf<'legal'> }) => (
  <div data-section="legal" className="py-part">
    <div className="page-width grid gap-x-cell gap-y-4 bar:grid-cols-4">
      <nav className="grid content-start gap-4 bar:sticky bar:top-26 bar:self-start" aria-labelledby="site-toc">
        <h2 id="site-toc" className="text-lg">
          {wording.legal.contents}
        </h2>
        <ol className="columns-2 text-sm bar:columns-1">
          {section.body.parts.map(({ id, title }) => (
            <li key={id}>
              <a className="block py-1 text-muted hover:text-ink hover:underline" href={`#${id}`}>
                {title}
              </a>
            </li>
          ))}
        </ol>
        <p className="text-sm text-muted">{`${wording.legal.updated} ${section.lastUpdated}`}</p>
        <div className="max-bar:hidden">
          <PageMark />
        </div>
      </nav>
      <div className="grid content-start gap-5 bar:col-span-3">
        <Markdown blocks={section.body.lead} heading="h3" />
        {section.body.parts.map(({ id, title, blocks }) => (
          <section key={id} id={id} className="grid gap-x-cell gap-y-3 border-t border-line pt-5 lg:grid-cols-3">
            <h2 className="text-xl">{title}</h2>
            <div className="grid gap-4 lg:col-span-2">
              <Markdown blocks={blocks} heading="h3" />
            </div>
          </section>
        ))}
      </div>
    </div>
  </div>
);
