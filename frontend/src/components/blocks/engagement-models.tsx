import { ActionLink } from '../ui/actions.tsx';
import { CheckList } from '../ui/check-list.tsx';
import { Facts } from '../ui/facts.tsx';
import { Label } from '../ui/label.tsx';
import { Picture } from '../ui/picture.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { EngagementModel, SectionOf } from 'virtual:content';

/** The ways to work with us, picture and text changing sides. */
export const EngagementModels = ({ section }: { section: SectionOf<'engagement-models'> }) => (
  <Section {...section}>
    {section.models.map((model, index) => (
      <Model key={model.id} model={model} index={index} />
    ))}
  </Section>
);

/** "staff-augmentation" reads "staff augmentation". */
const badge = (id: EngagementModel['id']) => id.replaceAll('-', ' ');

/** Text beside the picture, and below them what it brings; every other model is mirrored. */
function Model({ model, index }: { model: EngagementModel; index: number }) {
  const place = index % 2 === 1 ? 'lg:order-1' : '';
  return (
    <article
      className={`grid scroll-mt-24 gap-cell lg:grid-cols-2 ${index > 0 ? 'border-t border-line pt-part' : ''} hue-${model.hue}`}
      id={model.id}
    >
      <Picture
        picture={model.image}
        sizes="(min-width: 60rem) 38rem, 100vw"
        className={place}
        imgClassName="h-auto w-full rounded-md lg:h-full lg:object-cover"
      />
      <div className="grid content-start gap-4">
        <Label>{badge(model.id)}</Label>
        <h3>{model.title}</h3>
        <p className="text-lg text-muted">{model.shortDescription}</p>
        <p>
          <RichText>{model.description}</RichText>
        </p>
        <Facts
          facts={[
            { label: 'Pricing', value: model.pricing },
            { label: 'Timeline', value: model.timeline },
          ]}
        />
      </div>
      <div className={`grid auto-fit-14 gap-cell lg:col-span-2 ${place}`.trim()}>
        <div>
          <h4 className="mb-2">Key benefits</h4>
          <CheckList items={model.benefits} />
        </div>
        <div>
          <h4 className="mb-2">What you get</h4>
          <CheckList items={model.features} />
        </div>
        <div>
          <h4 className="mb-2">Technologies</h4>
          <ul className="flex flex-wrap gap-2">
            {model.technologies.map((technology) => (
              <li key={technology} className="rounded-full border border-line px-3 text-sm">
                {technology}
              </li>
            ))}
          </ul>
          <ActionLink
            action={{ label: 'Learn More', about: model.title, href: model.link }}
            variant="secondary"
            className="mt-4"
          />
        </div>
      </div>
    </article>
  );
}
