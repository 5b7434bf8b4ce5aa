import { ofCount } from '../ui/of-count.ts';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from '../../content/schema.ts';

/** Technologies, grouped by what they are for, in the order of the content. */
export function Stack({ section }: { section: SectionOf<'stack'> }) {
  const groups = new Map<string, string[]>();
  for (const { name, category } of section.technologies) groups.set(category, [...(groups.get(category) ?? []), name]);
  return (
    <Section {...section}>
      <dl className={`stack ${ofCount(groups.size)}`}>
        {[...groups].map(([category, names]) => (
          <div key={category}>
            <dt>{category}</dt>
            {names.map((name) => (
              <dd key={name}>{name}</dd>
            ))}
          </div>
        ))}
      </dl>
    </Section>
  );
}
