import { Fragment } from 'react';
import { jobs } from 'virtual:content';
import { Icon } from '../../components/ui/icon.tsx';
import { ActionLink } from '../../components/ui/actions.tsx';
import { formatCalendarDate } from '../../components/ui/calendar-date.ts';
import { CheckList } from '../../components/ui/check-list.tsx';
import { RichText } from '../../components/ui/rich-text.tsx';
import { Section } from '../../components/ui/section.tsx';
import type { IconName, Job, SectionOf } from '../../content/schema.ts';

/** Open positions. Each has a page of its own too, which its title leads to. */
export const JobsSection = ({ section }: { section: SectionOf<'jobs'> }) => (
  <Section {...section}>
    {jobs.map((job) => (
      <JobCard key={job.slug} job={job} />
    ))}
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
    <article className="job" id={job.slug}>
      <header>
        <h3>
          <a href={`/careers/${job.slug}`}>{job.title}</a>
        </h3>
        <dl className="job-facts">
          {facts.map(([icon, label, value]) => (
            <div key={label}>
              <dt className="visually-hidden">{label}</dt>
              <dd>
                <Icon name={icon} />
                {value}
              </dd>
            </div>
          ))}
        </dl>
        <p className="posted">
          Posted on <time dateTime={job.postedOn}>{formatCalendarDate(job.postedOn)}</time>
        </p>
        <ActionLink action={{ label: 'Apply for this Position', opens: 'application' }} />
      </header>
      <div className="job-parts">
        <h4>About the Role</h4>
        <Paragraphs texts={job.paragraphs} />
        {job.clauses.map(({ title, blocks }) => (
          <Fragment key={title}>
            <h4>{title}</h4>
            {blocks.map((block, index) =>
              typeof block === 'string' ? (
                <Paragraphs key={index} texts={[block]} />
              ) : (
                <CheckList key={index} items={block.list} />
              ),
            )}
          </Fragment>
        ))}
      </div>
    </article>
  );
}

const Paragraphs = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text) => (
    <p key={text}>
      <RichText>{text}</RichText>
    </p>
  ));
