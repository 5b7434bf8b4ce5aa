import { Actions } from '../ui/actions.tsx';
import { paths as about } from '../ui/drawings/about.ts';
import { paths as careers } from '../ui/drawings/careers.ts';
import { paths as contact } from '../ui/drawings/contact.ts';
import { paths as home } from '../ui/drawings/home.ts';
import { paths as services } from '../ui/drawings/services.ts';
import { HeroDrawing, type DrawingPaths } from '../ui/hero-drawing.tsx';
import { Picture } from '../ui/picture.tsx';
import { RichText } from '../ui/rich-text.tsx';
import type { DrawingName, Hero as HeroContent } from '../../content/schema.ts';
import { StatList } from './stats.tsx';

const drawings: Readonly<Record<DrawingName, DrawingPaths>> = { home, about, services, careers, contact };

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
          <h1>{hero.heading}</h1>
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
