import { TitledList } from '../ui/check-list.tsx';
import { IconTile } from '../ui/icon.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Team models. A model's price and duration are data only: they are not displayed on the card. */
export const TeamModels = ({ section }: { section: SectionOf<'team-models'> }) => (
  <Section {...section}>
    <ul className="grid gap-cell md:grid-cols-2">
      {section.models.map(({ id, icon, name, ideal, size, description, team, features }) => (
        <li
          key={id}
          className="grid content-start gap-3 rounded-md border border-t-4 border-line border-t-hue bg-surface p-panel"
        >
          <div className="flex items-center gap-3">
            <IconTile name={icon} className="-m-1 [scale:0.8] bg-tile text-hue-ink" />
            <h3>{name}</h3>
            <p className="ml-auto figure text-xl tracking-tight text-ink normal-nums">{size}</p>
          </div>
          <p>
            <b className="text-ink">Ideal for</b> {ideal}
          </p>
          <RichText as="p" text={description} />
          <div className="mt-1 grid gap-x-cell gap-y-3 lg:grid-cols-2">
            <TitledList heading="Team Composition" items={team} />
            <TitledList heading="Key Features" items={features} />
          </div>
        </li>
      ))}
    </ul>
  </Section>
);
