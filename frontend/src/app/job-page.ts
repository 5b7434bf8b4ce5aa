import { formatCalendarDate } from '../components/ui/calendar-date.ts';
import { company } from 'virtual:content';
import type { Page, Job } from 'virtual:content';

/** The page of one open position: what its card on /careers says, at an address that can be shared and found. */
export const jobPage = (job: Job): Page => ({
  path: `/careers/${job.slug}`,
  file: job.file,
  name: job.title,
  title: `${job.title}, ${job.town}, ${job.country} | ${company.name}`,
  description: `${job.title} in ${job.town}, ${job.country}: ${job.type.toLowerCase()}, ${job.experience}. Read about the work, and apply in a minute.`,
  hue: 'amber',
  job,
  hero: {
    kicker: job.department,
    heading: job.title,
    lead: [`${job.town}, ${job.country}. ${job.type}, ${job.experience}.`],
    actions: [
      { label: 'Apply for this Position', opens: 'application' },
      { label: 'All open positions', href: '/careers#open-positions' },
    ],
  },
  sections: [
    {
      kind: 'prose',
      heading: 'About the Role',
      paragraphs: [...job.paragraphs],
      facts: [
        { label: 'Department', value: job.department },
        { label: 'Location', value: `${job.town}, ${job.country}` },
        { label: 'Posted on', value: formatCalendarDate(job.postedOn) },
        { label: 'Apply by', value: formatCalendarDate(job.applyBy) },
      ],
    },
    {
      kind: 'features',
      shape: 'columns',
      heading: 'The work, and what you bring',
      items: job.clauses.map(({ title, blocks }) => {
        const description = blocks.flatMap((block) => ('list' in block ? [] : [...block, ' ']));
        const bullets = blocks.flatMap((block) => ('list' in block ? block.list : []));
        return { title, bullets, ...(description.length > 0 ? { description } : {}) };
      }),
    },
    { kind: 'application' },
    {
      kind: 'cta',
      heading: 'Is this your kind of work?',
      intro: ['A résumé as PDF or Word document and your e-mail address are all we need.'],
      actions: [{ label: 'Apply for this Position', opens: 'application' }],
      next: [
        { when: 'First', what: ['An engineer of the team reads it. You have an answer either way.'] },
        { when: 'Then', what: ['A first call, and a conversation with two future colleagues over code.'] },
        { when: 'Soon after', what: ['An offer, or an honest reason why not this time.'] },
      ],
    },
  ],
});
