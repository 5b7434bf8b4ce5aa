import { makeWords } from 'form-service/contract/messages';
import type { Keys } from 'form-service/contract/words';
import { Icon } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';
import { kiteOf, ServiceMark } from '../ui/service-mark.tsx';
import { wording, type SectionOf } from 'virtual:content';

const { more } = makeWords<Keys['services']>(wording.services);

/** Number of features that a card lists; the others are counted. */
const SHOWN_FEATURES = 2;

const KITE =
  'size-22 [transform:rotate(-6deg)] stroke-2 eased motion-safe:group-hover:[transform:translateY(-10px)] max-sm:-m-1 sm:mb-2 sm:-ml-2 sm:size-34';

const emptyCells = (count: number, columns: number) => (columns - (count % columns)) % columns;

/** Returns the least width of a card on wide screens: they have four or three columns, whichever fill the last row better. */
const widthOf = (count: number) => (emptyCells(count, 3) < emptyCells(count, 4) ? 'xl:auto-fill-22' : '');

/** Services, each with its kite and the name of its kind on a sky of its own. On a phone the kite is next to the title. */
export const ServiceCards = ({ section }: { section: SectionOf<'service-cards'> }) => (
  <Section {...section}>
    <ul className={`grid auto-fill-17 gap-3 print:gap-px ${widthOf(section.cards.length)}`}>
      {section.cards.map(({ icon, title, description, features, hue, href }) => {
        const kite = kiteOf(href);
        return (
          <li
            key={href}
            className={`group relative grid content-start gap-3 overflow-clip rounded-md border border-line bg-surface bg-plate-sky p-card hover:bg-hue-wash max-sm:grid-cols-[1fr_auto] max-sm:items-center sm:row-span-5 sm:grid-rows-subgrid sm:pt-9 print:overflow-visible max-sm:[&>:nth-child(n+3)]:col-span-2 hue-${hue}`}
          >
            <div>
              <h3>
                <a
                  className="no-underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-5 focus-visible:after:outline-ink"
                  href={href}
                >
                  {title}
                </a>
              </h3>
              {kite?.name && (
                <p className="mt-1 text-sm text-hue-ink sm:absolute sm:top-3 sm:right-4 sm:m-0">{kite.name}</p>
              )}
            </div>
            <ServiceMark href={href} icon={icon} className={`sm:row-start-1 sm:self-end ${kite ? KITE : 'size-12'}`} />
            <p>{description}</p>
            <ul className="grid content-start gap-0.5 text-sm text-muted">
              {features.slice(0, SHOWN_FEATURES).map((feature) => (
                <li key={feature}>{feature}</li>
              ))}
            </ul>
            <p className="flex items-center gap-2 text-sm font-semibold text-hue-ink">
              {more({ count: features.length - SHOWN_FEATURES })}
              <Icon name="arrow-right" className="eased group-hover:[transform:translate(0.3em)]" />
            </p>
          </li>
        );
      })}
    </ul>
  </Section>
);
