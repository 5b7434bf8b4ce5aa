import { Actions } from '../components/actions.tsx';
import { HeroDrawing, type DrawingPaths } from '../components/hero-drawing.tsx';
import { Picture } from '../components/picture.tsx';
import { RichText } from '../components/rich-text.tsx';
import type { DrawingName, Hero as HeroContent } from '../content/model.ts';
import { StatList } from './stats.tsx';

/** The code of a drawing comes with the one page that shows it. */
const loaders: Readonly<Record<DrawingName, () => Promise<{ paths: DrawingPaths }>>> = {
  home: () => import('../components/drawings/home.ts'),
  about: () => import('../components/drawings/about.ts'),
  services: () => import('../components/drawings/services.ts'),
  careers: () => import('../components/drawings/careers.ts'),
  contact: () => import('../components/drawings/contact.ts'),
};
const drawings: Partial<Record<DrawingName, DrawingPaths>> = {};

/** Loads what a hero draws, so that it renders without waiting. */
export async function loadHero({ art }: HeroContent): Promise<void> {
  if (typeof art === 'string') drawings[art] = (await loaders[art]()).paths;
}

/** The first screen of a page. */
export function Hero({ hero }: { hero: HeroContent }) {
  const { art } = hero;
  const drawing = typeof art === 'string' && drawings[art];
  const kind = drawing ? `drawing hero--${art}` : art ? 'picture' : 'plain';
  return (
    <section className={`hero hero--${kind}`}>
      {typeof art === 'object' && <Picture picture={art} sizes="(min-width: 44rem) max(72vw, 60rem), 100vw" first />}
      <div className="wrap">
        <div className="hero-text">
          {hero.kicker && <p className="kicker">{hero.kicker}</p>}
          <h1 tabIndex={-1}>{hero.heading}</h1>
          <p className="lead">
            <RichText>{hero.lead}</RichText>
          </p>
          {hero.actions && <Actions actions={hero.actions} />}
          {hero.badges && (
            <ul className="badges">
              {hero.badges.map((badge) => (
                <li key={badge}>{badge}</li>
              ))}
            </ul>
          )}
        </div>
        {hero.stats && <StatList stats={hero.stats} />}
        {drawing && <HeroDrawing paths={drawing} />}
      </div>
    </section>
  );
}
