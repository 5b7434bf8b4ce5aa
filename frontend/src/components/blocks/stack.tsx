import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Technologies, grouped by category in the order of the content. */
export function Stack({ section }: { section: SectionOf<'stack'> }) {
  const groups = new Map<string, string[]>();
  for (const { name, category } of section.technologies) groups.set(category, [...(groups.get(category) ?? []), name]);
  return (
    <Section {...section} quiet layout={groups.size === 4 ? 'above' : 'narrow, staying'}>
      <dl
        className={`grid gap-x-cell gap-y-4 ${groups.size === 4 ? 'sm:grid-cols-2 xl:grid-cols-4' : 'sm:grid-cols-2 md:grid-cols-3'}`}
      >
        {[...groups].map(([category, names]) => (
          <div key={category} className="border-t-2 border-hue pt-3">
            <dt className="mb-1 text-sm">{category}</dt>
            {names.map((name) => (
              <dd key={name} className="font-medium max-sm:mr-1 max-sm:inline max-sm:not-last:after:content-[',']">
                {name}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </Section>
  );
}
