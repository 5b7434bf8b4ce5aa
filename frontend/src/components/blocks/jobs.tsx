import { DIALOG_FORM } from 'form-service/contract/forms';
import { Icon } from '../ui/icon.tsx';
import { ActionLink, Actions } from '../ui/actions.tsx';
import { formatCalendarDate } from '../ui/calendar-date.ts';
import { columns } from '../ui/columns.ts';
import { Facts } from '../ui/facts.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { Section } from '../ui/section.tsx';
import { jobs, motif, wording, type Block, type IconName, type Job, type SectionOf } from 'virtual:content';

const words = wording.jobs;
const IN_CARD = { heading: 'h5', bullets: 'check-list' } as const;

/** Card of a position, or the dashed one for unsolicited applications. */
const CARD = 'grid gap-8 rounded-md p-panel lg:grid-cols-[1fr_2fr]';

/** Number of items of each list that a card shows; the position's page has them all. */
const SHOWN = 3;

const shorten = (block: Block): Block => ('list' in block ? { ...block, list: block.list.slice(0, SHOWN) } : block);

/** Open positions. The title of each links to its own page. */
export const Jobs = ({ section }: { section: SectionOf<'jobs'> }) => (
  <Section {...section}>
    {jobs.map((job) => (
      <JobCard key={job.slug} job={job} />
    ))}
    {section.otherwise && (
      <section className={`${CARD} border-2 border-dashed border-signal`}>
        <h2 className="text-xl">{section.otherwise.heading}</h2>
        <div className="grid gap-4">
          <RichText as="p" className="max-w-measure" text={section.otherwise.text} />
          <Actions actions={section.otherwise.actions} quiet />
        </div>
      </section>
    )}
  </Section>
);

function JobCard({ job }: { job: Job }) {
  const facts: readonly (readonly [IconName, string, string])[] = [
    ['building-2', words.department, job.department],
    ['map-pin', words.location, job.location],
    ['briefcase', words.type, job.employment],
    ['award', words.experience, job.experience],
    ...(job.salaryText ? [['banknote', words.salary, job.salaryText] as const] : []),
  ];
  return (
    <article className={`${CARD} border border-line bg-surface`} id={job.slug} data-job>
      <header className="relative isolate grid content-start justify-items-start gap-4 lg:grid-rows-[auto_auto_1fr]">
        {motif === 'kite' && <Place />}
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
        <p className="text-sm text-muted lg:self-end">
          {`${words.posted} `}
          <time dateTime={job.postedOn}>{formatCalendarDate(job.postedOn)}</time>
        </p>
        {DIALOG_FORM && <ActionLink action={{ label: words.apply, href: `#${DIALOG_FORM.kind}` }} />}
      </header>
      <div className="grid content-start gap-3">
        <h4 className="text-lg">{words.about}</h4>
        <Markdown blocks={job.body.lead} {...IN_CARD} />
        <div className={`mt-4 grid gap-x-cell gap-y-6 ${columns(job.body.parts.length)}`}>
          {job.body.parts.map(({ id, title, blocks }) => (
            <div key={id} className="grid content-start gap-3">
              <h4 className="text-lg">{title}</h4>
              <Markdown blocks={blocks.map(shorten)} {...IN_CARD} />
            </div>
          ))}
        </div>
        <a
          className="inline-flex min-h-11 items-center justify-self-start font-semibold underline"
          href={`/careers/${job.slug}`}
        >
          {words.more}
          <span className="sr-only">{` ${wording.frame.about} ${job.title}`}</span>
        </a>
      </div>
    </article>
  );
}

/** The empty place in the hero's formation of kites, as an outline. */
const Place = () => (
  <svg
    className="absolute right-4 bottom-16 -z-1 h-48 fill-none stroke-signal stroke-2 max-wide:hidden print:hidden"
    viewBox="174 92 192 323"
    strokeDasharray="6 5"
    aria-hidden="true"
  >
    <path
      d="M295 96Q322 167 362 232Q276 310 194 411Q192 285 178 176Q238 142 295 96z"
      vectorEffect="non-scaling-stroke"
    />
  </svg>
);

/** A position on its own page: its first paragraphs and facts, then its parts side by side. */
export const JobText = ({ section }: { section: SectionOf<'job'> }) => {
  const { job, parts } = section;
  const salary = job.salaryText ? [{ label: words.salary, value: job.salaryText }] : [];
  const facts = [...section.facts, ...salary];
  return (
    <>
      <Section {...section} layout="halves, filled">
        {/* In its column from the beginning, because the facts arrive after it. */}
        <div className="grid max-w-132 content-start gap-4 text-lg lg:col-start-1">
          <Markdown blocks={job.body.lead} heading="h3" bullets="check-list" />
        </div>
        <Facts facts={facts} className="lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:pt-2" />
      </Section>
      <Section kind="job-parts" heading={parts} layout="narrow" quiet marked>
        <ul className="grid h-full content-start gap-3 border-b border-line pb-4 leading-snug">
          {job.body.parts.map(({ id, title, blocks }) => (
            <li key={id} id={id} className="grid gap-2 border-t border-line pt-4">
              <h3>{title}</h3>
              <div className="grid gap-3">
                <Markdown blocks={blocks} heading="h4" bullets="check-list gap-x-cell gap-y-1 lg:grid-cols-2" />
              </div>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
};
