import { Fragment } from 'react';
import { useLocation } from 'react-router-dom';
import { Actions } from '../ui/actions.tsx';
import { HeroDrawing } from '../ui/hero-drawing.tsx';
import { Picture } from '../ui/picture.tsx';
import { RichText, withoutBreaks } from '../ui/rich-text.tsx';
import { KiteOutline, ServiceMark } from '../ui/service-mark.tsx';
import type { Hero as HeroContent, Picture as PictureContent } from 'virtual:content';
import { StatList } from '../ui/facts.tsx';

/** A page without a drawing or picture, which has the company's kite. */
const PLAIN = {
  section: 'overflow-clip bg-sky print:bg-none',
  kicker: 'text-hue-ink',
  frame: 'py-8 md:pt-16',
  heading: 'text-title',
  text: 'max-w-184',
  lead: 'max-w-measure',
  actions: 'items-start max-lg:flex-col',
} as const;

/** Page with a drawing, which is above the text on a phone. */
const BESIDE = {
  ...PLAIN,
  section:
    'cloth-in-hue overflow-clip bg-[linear-gradient(var(--hue-tint),var(--color-paper)_60%)] md:bg-[linear-gradient(var(--color-paper)_30%,var(--hue-tint))] print:bg-none',
  text: 'max-w-184 md:col-start-1',
} as const;

/** Heading of few words, as large as a poster's. */
const POSTER = 'text-poster leading-[0.96] tracking-[-0.035em]';

/** Length from which a heading above a picture is too long for a poster. */
const SHORT = 12;

const DRAWING = {
  ...BESIDE,
  frame: 'pt-2 pb-hero max-md:gap-y-0 md:grid-cols-[7fr_5fr] md:grid-rows-[auto_1fr] md:pt-14 md:pb-10',
  heading: 'text-title-narrow lg:text-title',
  drawing: 'w-[min(14rem,57vw,25svh)] max-md:ml-auto md:w-full',
} as const;

/** Size of a heading next to a drawing; the home page's short one is larger. */
const KINDS = {
  plain: PLAIN,
  home: {
    ...BESIDE,
    section: BESIDE.section.replace('cloth-in-hue ', ''),
    frame: 'pt-2 pb-8 max-md:gap-y-0 md:grid-cols-[7fr_5fr] md:grid-rows-[auto_1fr] md:pt-8 md:pb-4 lg:grid-cols-2',
    heading: POSTER,
    lead: 'max-w-measure max-md:pr-3',
    drawing: 'w-60 max-md:-mb-12 max-md:ml-auto md:w-full',
  },
  drawing: DRAWING,
  /** The strings of its kites end at the ledger below it. */
  services: { ...DRAWING, section: DRAWING.section.replace('overflow-clip', 'overflow-x-clip max-lg:overflow-clip') },
  /** Above a form and in its columns: only a heading, a sentence and a link to the form. */
  short: {
    ...PLAIN,
    section: '',
    frame: 'pt-5 pb-4 lg:py-8',
    heading: 'text-title-narrow lg:row-span-2',
    text: 'gap-x-cell lg:grid lg:grid-cols-2',
    lead: 'max-w-160 lg:mt-0',
    actions: 'lg:mt-0 lg:*:border-0 lg:*:px-0 lg:*:underline',
  },
  picture: {
    section:
      'relative isolate overflow-clip bg-(--ground) on-picture dark:border-b dark:border-hue-line print:bg-transparent',
    kicker: 'text-ink',
    frame: 'pt-4 pb-hero md:min-h-128 md:pt-hero lg:min-h-136 print:min-h-0',
    heading: 'md:text-title',
    text: 'max-w-184 md:max-w-1/2 print:max-w-none',
    lead: 'max-w-measure lg:max-w-132',
    actions: 'max-bar:flex-col max-bar:items-start',
  },
} as const;

function kindOf({ drawing, picture, short }: HeroContent): keyof typeof KINDS {
  if (picture) return 'picture';
  if (short) return 'short';
  if (!drawing) return 'plain';
  return drawing === 'home' || drawing === 'services' ? drawing : 'drawing';
}

/**
 * Returns the size of a heading. A short one above a picture is a poster. One with lines of its own next to a drawing is
 * too, but for phones, where the string needs the room.
 */
function headingOf(kind: keyof typeof KINDS, heading: string): string {
  if (kind === 'picture' && heading.length < SHORT) return POSTER;
  if (kind === 'drawing' && heading.includes('\n')) return `${POSTER} max-md:text-title-narrow`;
  return KINDS[kind].heading;
}

/** The first screen of a page. Everything is aligned to the top, so a page that is still arriving causes no layout shift. */
export function Hero({ hero }: { hero: HeroContent }) {
  const { pathname } = useLocation();
  const { drawing, picture } = hero;
  const kind = kindOf(hero);
  const classes = KINDS[kind];
  return (
    <section data-hero={kind} className={classes.section}>
      {picture && <Banner picture={picture} />}
      <div className={`relative isolate page-width grid content-start gap-part ${classes.frame}`}>
        {/* First in the HTML: on a phone it is above the text, where a late one would cause a layout shift. */}
        {drawing && 'drawing' in classes && <HeroDrawing name={drawing} className={classes.drawing} />}
        {kind === 'plain' && (
          <KiteOutline href={pathname} className="absolute top-6 right-8 size-50 rotate-12 max-md:hidden" />
        )}
        <div className={classes.text}>
          {hero.kicker &&
            (kind === 'picture' ? (
              <div className="mb-2 flex items-center gap-3 text-sm font-semibold md:mb-4">
                <ServiceMark href={pathname} />
                <p className={classes.kicker}>{hero.kicker}</p>
              </div>
            ) : (
              <p className={`dot-before mb-5 text-sm font-semibold ${classes.kicker}`}>{hero.kicker}</p>
            ))}
          {/* All phones break lines like a narrow one, so that both faces break at the same words. */}
          <h1 className={`max-sm:max-w-[8.56em] ${headingOf(kind, hero.heading)}`}>
            <Lines>{hero.heading}</Lines>
          </h1>
          <RichText as="p" className={`mt-6 text-lg text-muted ${classes.lead}`} text={hero.lead} />
          {/* One below the other if they might wrap, because wrapping late would cause a layout shift. */}
          {hero.actions && (
            <Actions actions={hero.actions} quiet={kind === 'short'} className={`mt-lead ${classes.actions}`} />
          )}
          {hero.badges && (
            <ul
              className={`mt-6 flex flex-wrap gap-x-6 gap-y-2 font-medium ${kind === 'picture' ? 'text-ink' : ''}`.trim()}
            >
              {hero.badges.map((badge) => (
                <li key={badge} className="dot-before">
                  {withoutBreaks(badge)}
                </li>
              ))}
            </ul>
          )}
        </div>
        {hero.stats && (
          <StatList
            stats={hero.stats}
            onPicture={kind === 'picture'}
            className={drawing ? 'mt-6 md:col-start-1' : ''}
          />
        )}
      </div>
    </section>
  );
}

/** Heading with manual line breaks, which are the same in every typeface, so that the display face causes no layout shift. */
const Lines = ({ children }: { children: string }) => {
  const lines = children.trim().split('\n');
  if (lines.length === 1) return children;
  return lines.map((line, index) => (
    <Fragment key={line}>
      {index > 0 && ' '}
      <span className="block w-fit md:whitespace-nowrap">{line}</span>
    </Fragment>
  ));
};

/**
 * Banner picture behind the text, whose left edge fades into the background. On a tablet the subject is next to the text
 * and runs past the edge of the page. On a low phone it is lower, so that the buttons are above the cookie banner.
 */
const Banner = ({ picture }: { picture: PictureContent }) => (
  <Picture
    picture={picture}
    sizes="(min-width: 44rem) max(72vw, 60rem), 100vw"
    first
    className="md:absolute md:inset-y-0 md:right-0 md:-z-1 md:w-[58%] md:mask-[linear-gradient(90deg,transparent,currentColor_32%)] lg:w-[72%] lg:mask-[linear-gradient(90deg,transparent_38%,currentColor_62%)] print:hidden"
    imgClassName="w-full object-cover max-md:aspect-3/2 max-md:max-h-[max(7rem,62svh-18rem)] max-md:object-[92%_50%] md:h-full md:object-[68%_center] lg:object-right"
  />
);
