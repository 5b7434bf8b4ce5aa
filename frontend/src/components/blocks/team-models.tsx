import { TitledList } from '../ui/check-list.tsx';
import { Icon } from '../ui/icon.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { wording, type SectionOf } from 'virtual:content';

const words = wording.teams;

/** Team models. Price and duration are notes of the writers, and not shown. */
export const TeamModels = ({ section }: { section: SectionOf<'team-models'> }) => (
  <Section {...section}>
    <ul className="grid gap-x-part gap-y-8 md:grid-cols-2">
      {section.models.map(({ id, icon, name, ideal, size, description, team, features }) => (
        <li key={id} className="grid content-start gap-3 border-t border-line pt-card">
          <div className="flex items-center gap-3">
            <Icon name={icon} className="text-hue-ink" />
            <h3>{name}</h3>
            <p className="ml-auto figure text-xl tracking-tight text-ink normal-nums">{size}</p>
          </div>
          <p>
            <b className="text-ink">{words.ideal}</b> {ideal}
          </p>
          <RichText as="p" text={description} />
          <div className="mt-1 grid gap-x-cell gap-y-3 lg:grid-cols-2">
            <TitledList heading={words.team} items={team} />
            <TitledList heading={words.features} items={features} />
          </div>
        </li>
      ))}
    </ul>
  </Section>
);
