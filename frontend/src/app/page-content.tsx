import { useLoaderData } from 'react-router-dom';
import type { Page } from 'virtual:content';
import { PageService } from '../components/ui/actions.tsx';
import { Hero } from '../components/blocks/hero.tsx';
import { SectionView } from './section-view.tsx';

/** A page that is a hero and a list of sections. */
export function PageContent() {
  const { hue, hero, sections, serviceOption } = useLoaderData<Page>();
  return (
    <main id="content" className={`hue-${hue}`}>
      <PageService value={serviceOption}>
        <Hero hero={hero} />
        {sections.map((section, index) => (
          <SectionView key={index} section={section} />
        ))}
      </PageService>
    </main>
  );
}
