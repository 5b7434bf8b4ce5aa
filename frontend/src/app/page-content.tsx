import { useLoaderData } from 'react-router-dom';
import { company, type Page, type Section } from 'virtual:content';
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

const isHalf = (section: Section | undefined) => section !== undefined && 'half' in section && section.half;

/** Groups sections by the band they are in: one or two halves of it. */
function bandsOf(sections: readonly Section[]): readonly (readonly Section[])[] {
  const bands: Section[][] = [];
  for (const section of sections) {
    const [first, second] = bands.at(-1) ?? [];
    if (isHalf(section) && isHalf(first) && !second) bands.at(-1)?.push(section);
    else bands.push([section]);
  }
  return bands;
}

/** Two sections next to each other on a wide screen, on the ground of the first. */
const Band = ({ halves, tint }: { halves: readonly Section[]; tint: boolean | undefined }) => (
  <div data-section="band" data-ground={tint && 'tint'} className={tint ? 'bg-sky print:bg-none' : undefined}>
    <div className="page-width grid gap-x-cell lg:grid-cols-2">
      {halves.map((section, index) => (
        <SectionView key={index} section={section} />
      ))}
    </div>
  </div>
);

/** A page that is a hero and a list of sections. */
export function PageContent() {
  const page = useLoaderData<Page>();
  const { hue, hero, sections, serviceOption } = page;
  return (
    <main id="site-content" className={`hue-${hue}`}>
      <PageService value={serviceOption}>
        <Hero hero={hero} />
        {bandsOf(sections).map((band, index) => {
          const [section] = band;
          if (section && 'half' in section && section.half)
            return <Band key={index} halves={band} tint={section.tint} />;
          return section && <SectionView key={index} section={section} />;
        })}
      </PageService>
      <PrintedAddress {...page} />
    </main>
  );
}
