import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { BackToTop } from '../layout/back-to-top.tsx';
import { CookieBanner } from '../layout/cookie-banner.tsx';
import { Footer } from '../layout/footer.tsx';
import { Header } from '../layout/header.tsx';
import { SectionView } from '../app/section-view.tsx';
import { sitePages as pages } from '../app/routes.tsx';
import { Hero } from '../components/blocks/hero.tsx';
import { examples, withLongWords } from './examples.ts';
import { States } from './states.tsx';

/** The page of all components, as HTML that needs no script. Its content is that of the site's own pages. */
export function renderComponentPage(): string {
  const kindOf = ({ hero: { art } }: (typeof pages)[number]) => (typeof art === 'object' ? 'picture' : art);
  const heroes = pages.filter((page, index) => pages.findIndex((other) => kindOf(other) === kindOf(page)) === index);
  const shown = examples(pages);
  return renderToStaticMarkup(
    <StaticRouter location="/">
      <Header />
      <main id="content" className="hue-sky">
        {[...heroes, ...heroes.map(withLongWords)].map(({ hero, hue }, index) => (
          <div key={index} className={`hue-${hue}`}>
            <Hero hero={hero} />
          </div>
        ))}
        <States />
        {shown.map(({ name, section }) => (
          <Example key={name} name={name} section={section} />
        ))}
        {shown.map(({ name, section }) => (
          <Example key={name} name={`${name}, with long words`} section={withLongWords(section)} />
        ))}
      </main>
      <Footer />
      <BackToTop />
      <CookieBanner />
    </StaticRouter>,
  );
}

const Example = ({ name, section }: ReturnType<typeof examples>[number]) => (
  <>
    <p className="page-width kite-before text-sm font-semibold">{name}</p>
    <SectionView section={section} />
  </>
);
