import { useLoaderData } from 'react-router-dom';
import { company, type Page } from 'virtual:content';
import { PageService } from '../components/ui/actions.tsx';
import { Hero } from '../components/blocks/hero.tsx';
import { canonicalUrl } from './head.ts';
import { SectionView } from './section-view.tsx';

/** Address of the page and whom to write to, for readers of the printed page. */
function PrintedAddress({ path, sections }: Page) {
  const isAboutJobs = sections.some(({ kind }) => kind === 'jobs' || kind === 'job');
  return (
    <p data-printed="" className="page-width hidden flex-wrap gap-x-8 font-semibold print:flex">
      <span>{canonicalUrl(path)}</span>
      <span>{isAboutJobs ? company.careersEmail : company.email}</span>
    </p>
  );
}

/** A page that is a hero and a list of sections. */
export function PageContent() {
  const page = useLoaderData<Page>();
  const { hue, hero, sections, serviceOption } = page;
  return (
    <main id="site-content" className={`hue-${hue}`}>
      <PageService value={serviceOption}>
        <Hero hero={hero} />
        {sections.map((section, index) => (
          <SectionView key={index} section={section} />
        ))}
      </PageService>
      <PrintedAddress {...page} />
    </main>
  );
}
