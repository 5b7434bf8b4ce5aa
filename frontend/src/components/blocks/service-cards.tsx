import { Icon } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';
import { ServiceMark } from '../ui/service-mark.tsx';
import { wording, type SectionOf } from 'virtual:content';

/** Number of features that a card lists; the others are counted. */
const SHOWN_FEATURES = 2;

export const ServiceCards = ({ section }: { section: SectionOf<'service-cards'> }) => (
  <Section {...section}>
    <ul className="grid auto-fill-17 gap-px overflow-clip rounded-md border border-line bg-line">
      {section.cards.map(({ icon, title, description, features, hue, href }) => (
        <li
          key={href}
          className={`group relative grid content-start gap-3 bg-surface p-card eased hover:bg-hue-wash max-sm:grid-cols-[auto_1fr] max-sm:items-center sm:row-span-5 sm:grid-rows-subgrid max-sm:[&>:nth-child(n+3)]:col-span-2 hue-${hue}`}
        >
          <ServiceMark href={href} icon={icon} className="size-12 eased group-hover:[transform:translateY(-6px)]" />
          <h3>
            <a
              className="no-underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-5 focus-visible:after:outline-ink"
              href={href}
            >
              {title}
            </a>
          </h3>
          <p>{description}</p>
          <ul className="grid content-start gap-0.5 text-sm text-muted">
            {features.slice(0, SHOWN_FEATURES).map((feature) => (
              <li key={feature}>{feature}</li>
            ))}
          </ul>
          <p className="flex items-center gap-2 text-sm font-semibold text-hue-ink">
            {`+${features.length - SHOWN_FEATURES} ${wording.services.more}`}
            <Icon name="arrow-right" className="eased group-hover:[transform:translate(0.3em)]" />
          </p>
        </li>
      ))}
    </ul>
  </Section>
);
