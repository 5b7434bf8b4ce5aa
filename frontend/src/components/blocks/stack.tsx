import { columns } from '../ui/columns.ts';
import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Technologies, grouped by what they are for, in the order of the content. */
export function Stack({ section }: { section: SectionOf<'stack'> }) {
  const groups = new Map<string, string[]>();
  for (const { name, category } of section.technologies) groups.set(category, [...(groups.get(category) ?? []), name]);
  return (
    <Section {...section}>
      <dl className={`grid gap-cell ${groups.size === 5 ? 'sm:grid-cols-2 md:grid-cols-5' : columns(groups.size)}`}>
        {[...groups].map(([category, names]) => (
          <div key={category} className="border-t-3 border-hue pt-4">
            <dt className="mb-2 text-sm">{category}</dt>
            {names.map((name) => (
              <dd key={name} className="font-display text-lg leading-normal font-semibold">
                {name}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </Section>
  );
}
