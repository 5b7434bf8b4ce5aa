import { Markdown } from '../ui/markdown.tsx';
import { wording, type SectionOf } from 'virtual:content';

/** A legal text: its table of contents, then its parts. */
export const Legal = ({ section }: { section: SectionOf<'legal'> }) => (
  <div data-section="legal" className="py-band">
    <div className="page-width grid gap-part lg:grid-cols-[1fr_3fr] bar:grid-cols-[1fr_4fr]">
      <nav
        className="lg:sticky lg:top-26 lg:max-h-[calc(100dvh-7.5rem)] lg:self-start lg:overflow-y-auto"
        aria-labelledby="site-toc"
      >
        <h2 id="site-toc" className="mb-3 text-lg">
          {wording.legal.contents}
        </h2>
        <ol className="grid border-l-2 border-line text-sm">
          {section.body.parts.map(({ id, title }) => (
            <li key={id}>
              <a className="block px-4 py-1 text-muted no-underline hover:text-ink" href={`#${id}`}>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="grid content-start gap-8">
        <p className="text-muted">{`${wording.legal.updated} ${section.lastUpdated}`}</p>
        <Markdown blocks={section.body.lead} heading="h3" />
        {section.body.parts.map(({ id, title, blocks }) => (
          <section
            key={id}
            id={id}
            className="grid gap-x-part gap-y-4 border-line xl:grid-cols-[2fr_5fr] xl:border-t xl:pt-5"
          >
            <h2 className="text-xl">{title}</h2>
            <div className="grid max-w-measure gap-4">
              <Markdown blocks={blocks} heading="h3" />
            </div>
          </section>
        ))}
      </div>
    </div>
  </div>
);
