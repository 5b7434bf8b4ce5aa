import { Icon, IconTile } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from '../../content/schema.ts';

/** Features a card shows before "+N more services" (spec 9). */
const SHOWN_FEATURES = 2;

export const ServiceCards = ({ section }: { section: SectionOf<'service-cards'> }) => (
  <Section {...section}>
    <ul className="service-cards">
      {section.cards.map(({ icon, title, description, features, hoverColor, href }) => (
        <li key={href} className={`service-card hue-${hoverColor}`}>
          <IconTile name={icon} />
          <h3>
            <a href={href}>{title}</a>
          </h3>
          <p>{description}</p>
          <ul>
            {features.slice(0, SHOWN_FEATURES).map((feature) => (
              <li key={feature}>{feature}</li>
            ))}
          </ul>
          <p className="more">
            {`+${features.length - SHOWN_FEATURES} more services`}
            <Icon name="arrow-right" />
          </p>
        </li>
      ))}
    </ul>
  </Section>
);
