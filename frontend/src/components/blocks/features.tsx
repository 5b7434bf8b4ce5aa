import { CheckList } from '../ui/check-list.tsx';
import { IconTile } from '../ui/icon.tsx';
import { ofCount } from '../ui/of-count.ts';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import type { Feature, SectionOf } from '../../content/schema.ts';

/** Points of equal rank, drawn in the shape that says how they relate. */
export const Features = ({ section }: { section: SectionOf<'features'> }) => (
  <Section {...section} kind={`features section--${section.shape}`}>
    <ul className={`features features--${section.shape} ${ofCount(section.items.length)}`}>
      {section.items.map((item) => (
        <FeatureItem key={item.title} item={item} />
      ))}
    </ul>
  </Section>
);

function FeatureItem({ item }: { item: Feature }) {
  return (
    <li className={item.label ? 'feature feature--labelled' : 'feature'}>
      {item.label && <p className="label">{item.label}</p>}
      {item.metric ? (
        <p className="metric">
          <b>{item.metric}</b> {item.metricLabel}
        </p>
      ) : (
        item.icon && <IconTile name={item.icon} />
      )}
      <h3>{item.href ? <a href={item.href}>{item.title}</a> : item.title}</h3>
      {item.description && (
        <p>
          <RichText>{item.description}</RichText>
        </p>
      )}
      {item.bullets && <CheckList items={item.bullets} />}
    </li>
  );
}
