import { CheckList } from '../components/check-list.tsx';
import { IconTile } from '../components/icon.tsx';
import { RichText } from '../components/rich-text.tsx';
import { Section } from '../components/section.tsx';
import type { TeamModelsSection } from '../content/offers.ts';

/** Team models. A model's price and duration are data only: they are not displayed on the card (spec 2.12). */
export const TeamModels = ({ section }: { section: TeamModelsSection }) => (
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
