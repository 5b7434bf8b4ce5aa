import { Actions } from '../components/actions.tsx';
import { HomeKite } from '../components/kite-art.tsx';
import { Picture } from '../components/picture.tsx';
import { RichText } from '../components/rich-text.tsx';
import type { Hero as HeroContent } from '../content/model.ts';
import { StatList } from './stats.tsx';

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
        {art === 'kite' && <HomeKite />}
        {hero.stats && <StatList stats={hero.stats} />}
      </div>
    </section>
  );
}
