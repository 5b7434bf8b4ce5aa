import { ActionLink } from '../ui/actions.tsx';
import { Lines } from '../ui/check-list.tsx';
import { Facts } from '../ui/facts.tsx';
import { Picture } from '../ui/picture.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { wording, type EngagementModel, type SectionOf } from 'virtual:content';

const words = wording.models;

/** Engagement models, with picture and text on alternating sides. */
export const EngagementModels = ({ section }: { section: SectionOf<'engagement-models'> }) => (
  <Section {...section}>
    {section.models.map((model, index) => (
      <Model key={model.id} model={model} index={index} />
    ))}
  </Section>
);

/** Picture and text of a model; every second one is mirrored. */
function Model({ model, index }: { model: EngagementModel; index: number }) {
  const mirrored = index % 2 === 1;
  return (
    <article
      className={`grid scroll-mt-24 gap-x-cell gap-y-4 ${mirrored ? 'lg:grid-cols-[7fr_5fr]' : 'lg:grid-cols-[5fr_7fr]'} ${index > 0 ? 'border-t border-line pt-8' : ''} hue-${model.hue}`}
      id={model.id}
    >
      <div className={`grid content-start gap-4 ${mirrored ? 'lg:order-1' : ''}`.trim()}>
        <div className="relative">
          <Picture
            picture={model.image}
            sizes="(min-width: 60rem) 31rem, 100vw"
            imgClassName="aspect-4/3 w-full rounded-md object-cover sm:max-lg:aspect-2/1 object-[92%_50%]"
          />
          <h3 className="absolute top-4 left-4 rounded-full bg-surface px-3 py-1 text-sm font-semibold text-hue-ink">
            {model.title}
          </h3>
        </div>
        <p className="text-sm text-muted">
          <b>{`${words.technologies}:`}</b>
          {` ${model.technologies.join(', ')}`}
        </p>
      </div>
      <div className="grid content-start gap-4">
        <p className="font-display text-[1.5rem] leading-tight font-bold text-balance md:text-[2.125rem]">
          {model.shortDescription}
        </p>
        <RichText as="p" text={model.description} />
        <Facts
          facts={[
            { label: words.pricing, value: model.pricing },
            { label: words.timeline, value: model.timeline },
          ]}
        />
        <div>
          <h4 className="mb-2">{words.benefits}</h4>
          <Lines items={model.benefits} className="grid gap-x-cell sm:grid-cols-2" />
        </div>
        <ActionLink
          action={{ label: words.learn, about: model.title, href: model.link }}
          variant="secondary"
          className="justify-self-start"
        />
      </div>
    </article>
  );
}
