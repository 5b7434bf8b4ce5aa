import { Fragment } from 'react';
import { Actions } from '../ui/actions.tsx';
import { HeroDrawing } from '../ui/hero-drawing.tsx';
import { Picture } from '../ui/picture.tsx';
import { RichText } from '../ui/rich-text.tsx';
import type { Hero as HeroContent, Picture as PictureContent } from 'virtual:content';
import { StatList } from './stats.tsx';

/** A page without a drawing or picture. */
const PLAIN = {
  section: 'border-b border-line bg-facets print:bg-none',
  kicker: 'text-hue-ink',
  frame: 'pt-20 pb-part',
  heading: 'text-2xl',
  text: 'max-w-184',
  lead: 'max-w-measure',
  actions: 'max-lg:flex-col max-lg:items-start',
} as const;

/** Beside a drawing. */
const BESIDE = {
  ...PLAIN,
  section: 'cloth-in-hue overflow-clip border-b border-line',
  text: 'max-w-184 md:col-start-1',
} as const;

/** A long heading leaves a drawing its place; the home page's is short. */
const KINDS = {
  plain: PLAIN,
  home: {
    ...BESIDE,
    section: 'overflow-clip border-b border-line',
    frame: 'pt-20 pb-hero md:grid-cols-2 md:grid-rows-[auto_1fr] md:pt-hero',
    heading: '',
  },
  drawing: {
    ...BESIDE,
    frame: 'pt-20 pb-hero md:grid-cols-[7fr_5fr] md:grid-rows-[auto_1fr] md:pt-hero',
    heading: 'text-title-narrow lg:text-title',
  },
  /** The drawing stands aside where there is room for both, and leaves where there is not. */
  short: {
    ...BESIDE,
    kicker: 'text-hue-ink max-md:hidden',
    frame: 'pt-20 pb-4 md:grid-cols-[7fr_4fr] md:pt-10 md:pb-8',
    heading: 'text-title-narrow',
  },
  picture: {
    section: 'relative isolate overflow-clip bg-(--ground) on-picture print:bg-transparent',
    kicker: 'text-ink',
    frame: 'pt-6 pb-hero md:min-h-128 md:pt-hero lg:min-h-136 print:min-h-0',
    heading: 'md:text-title',
    text: 'max-w-184 md:max-w-1/2 print:max-w-none',
    lead: 'max-w-measure lg:max-w-132',
    actions: 'max-bar:flex-col max-bar:items-start',
  },
} as const;

function kindOf({ drawing, picture, short }: HeroContent): keyof typeof KINDS {
  if (picture) return 'picture';
  if (!drawing) return 'plain';
  if (short) return 'short';
  return drawing === 'home' ? 'home' : 'drawing';
}

/** The first screen of a page. What is still arriving moves nothing: all stands from the top, in its own column. */
export function Hero({ hero }: { hero: HeroContent }) {
  const { drawing, picture, short } = hero;
  const kind = kindOf(hero);
  const classes = KINDS[kind];
  return (
    <section data-hero={kind} className={classes.section}>
      {picture && <Banner picture={picture} />}
      <div className={`relative page-width grid content-start gap-part ${classes.frame}`}>
        <div className={classes.text}>
          {hero.kicker && <p className={`kite-before mb-5 text-sm font-semibold ${classes.kicker}`}>{hero.kicker}</p>}
          {/* On phones of every width, lines break as on a narrow one: where a face just fits, the other one would not. */}
          <h1 className={`max-sm:max-w-[8.56em] ${classes.heading}`.trim()}>
            <Lines>{hero.heading}</Lines>
          </h1>
          <RichText as="p" className={`mt-6 text-lg leading-normal text-muted ${classes.lead}`} text={hero.lead} />
          {/* One below the other where they might not fit: what breaks while it arrives would move. */}
          {hero.actions && <Actions actions={hero.actions} className={`mt-lead ${classes.actions}`} />}
          {hero.badges && (
            <ul
              className={`mt-6 flex flex-wrap gap-x-6 gap-y-2 font-medium ${kind === 'picture' ? 'text-ink' : ''}`.trim()}
            >
              {hero.badges.map((badge) => (
                <li key={badge} className="kite-before">
                  {badge}
                </li>
              ))}
            </ul>
          )}
        </div>
        {hero.stats && (
          <StatList stats={hero.stats} onPicture={kind === 'picture'} className={drawing ? 'md:col-start-1' : ''} />
        )}
        {drawing && !picture && <HeroDrawing name={drawing} className={short ? 'max-md:hidden md:h-70' : 'w-full'} />}
      </div>
    </section>
  );
}

/** Each line of a heading that is set by hand breaks at the same words in every typeface, so that nothing moves. */
const Lines = ({ children }: { children: string }) => {
  const lines = children.trim().split('\n');
  if (lines.length === 1) return children;
  return lines.map((line, index) => (
    <Fragment key={line}>
      {index > 0 && ' '}
      <span className="block md:whitespace-nowrap">{line}</span>
    </Fragment>
  ));
};

/**
 * The picture's own ground runs on under the text; its left edge melts into it. On a tablet the subject begins beside
 * the text, and goes on past the edge of the page.
 */
const Banner = ({ picture }: { picture: PictureContent }) => (
  <Picture
    picture={picture}
    sizes="(min-width: 44rem) max(72vw, 60rem), 100vw"
    first
    className="md:absolute md:inset-y-0 md:right-0 md:-z-1 md:w-[58%] md:mask-[linear-gradient(90deg,transparent,currentColor_32%)] lg:w-[72%] lg:mask-[linear-gradient(90deg,transparent_14%,currentColor_46%)] print:hidden"
    imgClassName="w-full object-cover max-md:aspect-4/3 max-md:object-[92%_50%] md:h-full md:object-[68%_center] lg:object-right"
  />
);
