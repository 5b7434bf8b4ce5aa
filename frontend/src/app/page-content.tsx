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

const SKIES = new Set<Section['kind']>(['figure', 'service-cards']);

/** Whether a section has a sky of its own, next to which a band has none. */
const hasSky = (section: Section | undefined) =>
  section !== undefined && (SKIES.has(section.kind) || ('drawing' in section && section.drawing !== undefined));

/** Two sections next to each other on a wide screen. */
const Band = ({ halves, isPlain }: { halves: readonly Section[]; isPlain: boolean }) => (
  <div
    data-section="band"
    data-ground={isPlain ? undefined : 'tint'}
    className={isPlain ? undefined : 'bg-sky print:bg-none'}
  >
    <div className="page-width grid gap-x-part lg:grid-cols-2">
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
        {bandsOf(sections).map((band, index, all) => {
          const [section] = band;
          const isPlain = hasSky(all[index - 1]?.at(-1)) || hasSky(all[index + 1]?.[0]);
          if (isHalf(section)) return <Band key={index} halves={band} isPlain={isPlain} />;
          return section && <SectionView key={index} section={section} />;
        })}
      </PageService>
      <PrintedAddress {...page} />
    </main>
  );
}
