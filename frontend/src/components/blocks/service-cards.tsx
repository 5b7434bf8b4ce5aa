import { makeWords } from 'form-service/contract/messages';
import type { Keys } from 'form-service/contract/words';
import { columns } from '../ui/columns.ts';
import { Icon } from '../ui/icon.tsx';
import { withoutBreaks } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { kiteOf, ServiceMark } from '../ui/service-mark.tsx';
import { wording, type SectionOf } from 'virtual:content';

const { more } = makeWords<Keys['services']>(wording.services);

/** Number of features that a card lists; the others are counted. */
const SHOWN_FEATURES = 2;

/** Every second kite flies higher. Its string is tied to the rule below it. */
const KITE =
  'size-22 [transform:rotate(-6deg)] overflow-visible max-sm:-m-1 sm:mb-6 sm:ml-3 sm:size-34 sm:group-even:mb-14 print:m-0! print:size-16';
const KNOTS = ['.3 58.4', '-.9 69.6'];
const stringOf = (index: number) => `${KNOTS[index % 2]}m-1.5,0a1.5,1.5 0 1 0 3,0a1.5,1.5 0 1 0-3,0`;

/** Services under one sky, each with its kite and the name of its kind. On a phone the kite is next to the title. */
export const ServiceCards = ({ section }: { section: SectionOf<'service-cards'> }) => (
  <Section {...section} ground="tint">
    <ul className={`grid gap-x-cell gap-y-6 sm:gap-y-0 ${columns(section.cards.length)}`}>
      {section.cards.map(({ icon, title, description, features, hue, href }, index) => {
        const kite = kiteOf(href);
        return (
          <li
            key={href}
            className={`group relative grid content-start gap-3 max-sm:grid-cols-[1fr_auto] max-sm:items-center max-sm:border-t max-sm:border-line max-sm:pt-5 sm:row-span-5 sm:grid-rows-subgrid sm:pb-8 max-sm:[&>:nth-child(n+3)]:col-span-2 hue-${hue}`}
          >
            <div className="border-edge sm:border-t sm:pt-5">
              <h3>
                <a
                  className="no-underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-5 focus-visible:after:outline-ink"
                  href={href}
                >
                  {title}
                </a>
              </h3>
              {kite?.name && <p className="mt-1 text-sm text-hue-ink">{kite.name}</p>}
            </div>
            <ServiceMark
              href={href}
              icon={icon}
              string={stringOf(index)}
              className={`sm:row-start-1 sm:self-end ${kite ? KITE : 'size-12'}`}
            />
            <p>{withoutBreaks(description)}</p>
            <ul className="grid content-start gap-0.5 leading-snug text-muted">
              {features.slice(0, SHOWN_FEATURES).map((feature) => (
                <li key={feature}>{withoutBreaks(feature)}</li>
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
