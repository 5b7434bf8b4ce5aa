import { Section } from '../ui/section.tsx';
import type { SectionOf } from 'virtual:content';

/** Technologies, grouped by category in the order of the content. */
export function Stack({ section }: { section: SectionOf<'stack'> }) {
  const groups = new Map<string, string[]>();
  for (const { name, category } of section.technologies) groups.set(category, [...(groups.get(category) ?? []), name]);
  return (
    <Section {...section} quiet layout="narrow">
      <dl>
        {[...groups].map(([category, names]) => (
          <div key={category} className="relative border-t border-line py-2.5 sm:pl-64">
            <dt className="top-2.5 left-0 font-display text-lg leading-tight font-bold text-ink sm:absolute">
              {category}
            </dt>
            {names.map((name) => (
              <dd key={name} className="mr-1 inline not-last:after:content-[',']">
                {name}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </Section>
  );
}
