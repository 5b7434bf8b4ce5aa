import { Icon } from '../../components/ui/icon.tsx';
import { ActionLink } from '../../components/ui/actions.tsx';
import { formatCalendarDate } from '../../components/ui/calendar-date.ts';
import { CheckList } from '../../components/ui/check-list.tsx';
import { RichText } from '../../components/ui/rich-text.tsx';
import { Section } from '../../components/ui/section.tsx';
import type { IconName } from '../../content/icons.ts';
import type { JobPosting, JobsSection as JobsContent } from '../../content/offers.ts';

/** Open positions. Each has a page of its own too, which its title leads to. */
export const JobsSection = ({ section }: { section: JobsContent }) => (
  <Section {...section}>
    {section.jobs.map((job) => (
      <Job key={job.id} job={job} />
    ))}
  </Section>
);

function Job({ job }: { job: JobPosting }) {
  const facts: readonly (readonly [IconName, string, string])[] = [
    ['building-2', 'Department', job.department],
    ['map-pin', 'Location', job.location],
    ['briefcase', 'Type', job.type],
    ['award', 'Experience', job.experience],
  ];
  return (
    <article className="job" id={job.id}>
      <header>
        <h3>
          <a href={`/careers/${job.id}`}>{job.title}</a>
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
          Posted on <time dateTime={job.postedDate}>{formatCalendarDate(job.postedDate)}</time>
        </p>
        <ActionLink action={{ label: 'Apply for this Position', opens: 'application' }} />
      </header>
      <div className="job-parts">
        <h4>About the Role</h4>
        <p>
          <RichText>{job.description}</RichText>
        </p>
        <h4>Responsibilities</h4>
        <CheckList items={job.responsibilities} />
        <h4>Requirements</h4>
        <CheckList items={job.requirements} />
        <h4>Good to Have</h4>
        <CheckList items={job.niceToHave} />
      </div>
    </article>
  );
}
