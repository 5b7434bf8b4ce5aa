import { CheckList } from '../ui/check-list.tsx';
import { IconTile } from '../ui/icon.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from '../../content/schema.ts';

/** Team models. A model's price and duration are data only: they are not displayed on the card (spec 2.12). */
export const TeamModels = ({ section }: { section: SectionOf<'team-models'> }) => (
  <Section {...section}>
    <ul className="team-models">
      {section.models.map(({ id, icon, name, ideal, size, description, team, features }) => (
        <li key={id} className="team-model">
          <IconTile name={icon} />
          <h3>{name}</h3>
          <p className="size">{size}</p>
          <p className="ideal">
            <b>Ideal for</b> {ideal}
          </p>
          <p>
            <RichText>{description}</RichText>
          </p>
          <h4>Team Composition</h4>
          <CheckList items={team} />
          <h4>Key Features</h4>
          <CheckList items={features} />
        </li>
      ))}
    </ul>
  </Section>
);
