import type { ComponentType } from 'react';
import { Actions } from '../components/actions.tsx';
import { Picture } from '../components/picture.tsx';
import { RichText } from '../components/rich-text.tsx';
import type { Hero as HeroContent } from '../content/model.ts';
import { StatList } from './stats.tsx';

/** The home page's drawing. Its code comes with the one page that shows it. */
let HomeKite: ComponentType | undefined;

/** Loads what a hero draws, so that it renders without waiting. */
export async function loadHero({ art }: HeroContent): Promise<void> {
  if (art === 'kite') ({ HomeKite } = await import('../components/home-kite.tsx'));
}

/** The first screen of a page. */
export function Hero({ hero }: { hero: HeroContent }) {
  const { art } = hero;
  const kind = art === 'kite' ? 'kite' : art ? 'picture' : 'plain';
  return (
    <section className={`hero hero--${kind}`}>
      {art && art !== 'kite' && <Picture picture={art} sizes="(min-width: 60rem) 72vw, 100vw" first />}
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
        {art === 'kite' && HomeKite && <HomeKite />}
        {hero.stats && <StatList stats={hero.stats} />}
      </div>
    </section>
  );
}
