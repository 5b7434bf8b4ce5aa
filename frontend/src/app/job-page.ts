import { formatCalendarDate } from '../components/ui/calendar-date.ts';
import { company } from '../content/company.ts';
import type { Page } from '../content/model.ts';
import type { JobPosting } from '../content/offers.ts';

/** The page of one open position: what its card on /careers says, at an address that can be shared and found. */
export const jobPage = (job: JobPosting): Page => ({
  path: `/careers/${job.id}`,
  name: job.title,
  title: `${job.title}, ${job.location} | ${company.name}`,
  description: `${job.title} in ${job.location}: ${job.type.toLowerCase()}, ${job.experience}. Read about the work, and apply in a minute.`,
  hue: 'amber',
  job,
  hero: {
    kicker: job.department,
    heading: job.title,
    lead: `${job.location}. ${job.type}, ${job.experience}.`,
    actions: [
      { label: 'Apply for this Position', opens: 'application' },
      { label: 'All open positions', href: '/careers#open-positions' },
    ],
  },
  sections: [
    {
      kind: 'prose',
      heading: 'About the Role',
      paragraphs: [job.description],
      facts: [
        { label: 'Department', value: job.department },
        { label: 'Location', value: job.location },
        { label: 'Posted on', value: formatCalendarDate(job.postedDate) },
        { label: 'Apply by', value: formatCalendarDate(job.validThrough) },
      ],
    },
    {
      kind: 'features',
      shape: 'columns',
      heading: 'The work, and what you bring',
      items: [
        { title: 'Responsibilities', bullets: job.responsibilities },
        { title: 'Requirements', bullets: job.requirements },
        { title: 'Good to Have', bullets: job.niceToHave },
      ],
      actions: [{ label: 'Apply Now', opens: 'application' }],
    },
    { kind: 'application' },
  ],
});
