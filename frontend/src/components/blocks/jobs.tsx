import { Fragment } from 'react';
import { Icon } from '../ui/icon.tsx';
import { ActionLink, Actions } from '../ui/actions.tsx';
import { formatCalendarDate } from '../ui/calendar-date.ts';
import { CheckList } from '../ui/check-list.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { jobs, type IconName, type Job, type SectionOf } from 'virtual:content';

/** Of a position, and of the place that is drawn with dashes, for nobody has it yet. */
const CARD = 'grid gap-8 rounded-md border p-panel lg:grid-cols-[1fr_2fr]';

/** Open positions. Each has a page of its own too, which its title leads to. */
export const Jobs = ({ section }: { section: SectionOf<'jobs'> }) => (
  <Section {...section}>
    {jobs.map((job) => (
      <JobCard key={job.slug} job={job} />
    ))}
    {section.otherwise && (
      <section className={`${CARD} border-dashed border-hue`}>
        <h2 className="text-xl">{section.otherwise.heading}</h2>
        <div className="grid gap-4">
          <RichText as="p" className="max-w-measure" text={section.otherwise.text} />
          <Actions actions={section.otherwise.actions} />
        </div>
      </section>
    )}
  </Section>
);

function JobCard({ job }: { job: Job }) {
  const facts: readonly (readonly [IconName, string, string])[] = [
    ['building-2', 'Department', job.department],
    ['map-pin', 'Location', `${job.town}, ${job.country}`],
    ['briefcase', 'Type', job.type],
    ['award', 'Experience', job.experience],
  ];
  return (
    <article className={`${CARD} border-line bg-surface`} id={job.slug} data-job>
      <header className="grid content-start justify-items-start gap-4 lg:sticky lg:top-24 lg:self-start">
        <h3>
          <a className="underline decoration-1 hover:decoration-2" href={`/careers/${job.slug}`}>
            {job.title}
          </a>
        </h3>
        <dl className="grid gap-1">
          {facts.map(([icon, label, value]) => (
            <div key={label}>
              <dt className="sr-only">{label}</dt>
              <dd className="flex items-center gap-2">
                <Icon name={icon} className="text-hue-ink" />
                {value}
              </dd>
            </div>
          ))}
        </dl>
        <p className="text-sm text-muted">
          Posted on <time dateTime={job.postedOn}>{formatCalendarDate(job.postedOn)}</time>
        </p>
        <ActionLink action={{ label: 'Apply for this Position', opens: 'application' }} />
      </header>
      <div className="grid gap-3">
        <h4 className="text-lg">About the Role</h4>
        {job.paragraphs.map((text, index) => (
          <RichText as="p" key={index} text={text} />
        ))}
        {job.clauses.map(({ title, blocks }) => (
          <Fragment key={title}>
            <h4 className="mt-4 text-lg">{title}</h4>
            {blocks.map((block, index) =>
              'list' in block ? (
                <CheckList key={index} items={block.list} />
              ) : (
                <RichText as="p" key={index} text={block} />
              ),
            )}
          </Fragment>
        ))}
      </div>
    </article>
  );
}
