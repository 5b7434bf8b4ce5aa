import { ActionLink } from '../ui/actions.tsx';
import { CheckList } from '../ui/check-list.tsx';
import { Picture } from '../ui/picture.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { EngagementModel, SectionOf } from '../../content/schema.ts';

/** The ways to work with us, picture and text changing sides. */
export const EngagementModels = ({ section }: { section: SectionOf<'engagement-models'> }) => (
  <Section {...section}>
    {section.models.map((model) => (
      <Model key={model.id} model={model} />
    ))}
  </Section>
);

/** "staff-augmentation" reads "staff augmentation". */
const badge = (id: EngagementModel['id']) => id.replaceAll('-', ' ');

function Model({ model }: { model: EngagementModel }) {
  return (
    <article className={`model hue-${model.hoverColor}`} id={model.id}>
      <Picture picture={model.image} sizes="(min-width: 60rem) 38rem, 100vw" />
      <div>
        <p className="label">{badge(model.id)}</p>
        <h3>{model.title}</h3>
        <p className="intro">{model.shortDescription}</p>
        <p>
          <RichText>{model.description}</RichText>
        </p>
      </div>
      <dl className="facts">
        <div>
          <dt>Pricing</dt>
          <dd>{model.pricing}</dd>
        </div>
        <div>
          <dt>Timeline</dt>
          <dd>{model.timeline}</dd>
        </div>
      </dl>
      <div>
        <div className="model-lists">
          <div>
            <h4>Key benefits</h4>
            <CheckList items={model.benefits} />
          </div>
          <div>
            <h4>What you get</h4>
            <CheckList items={model.features} />
          </div>
        </div>
        <div>
          <h4>Technologies</h4>
          <ul className="tags">
            {model.technologies.map((technology) => (
              <li key={technology}>{technology}</li>
            ))}
          </ul>
        </div>
        <ActionLink action={{ label: 'Learn More', about: model.title, href: model.link }} main={false} />
      </div>
    </article>
  );
}
