import { useLoaderData } from 'react-router-dom';
import type { Page } from 'virtual:content';
import { Hero } from '../components/blocks/hero.tsx';
import { SectionView } from './section-view.tsx';

/** A page that is a hero and a list of sections. */
export function PageContent() {
  const { hue, hero, sections } = useLoaderData<Page>();
  return (
    <main id="content" className={`hue-${hue}`}>
      <Hero hero={hero} />
      {sections.map((section, index) => (
        <SectionView key={index} section={section} />
      ))}
    </main>
  );
}
