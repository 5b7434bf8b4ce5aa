import { expect, test } from '@jest/globals';
import { company, pages } from 'virtual:content';
import type { Job } from 'virtual:content';
import { structuredData } from './structured-data.tsx';

const [page] = pages;
const JOB = {
  file: 'jobs/kite-maker.md',
  slug: 'kite-maker',
  title: 'Kite Maker',
  town: 'Johannesburg',
  country: 'South Africa',
  countryCode: 'ZA',
  type: 'Full-time',
  postedOn: '2026-01-31',
  applyBy: '2027-01-31',
  body: { lead: [], parts: [] },
} as unknown as Job;

const sameAs = [`${company.host}/`, ...(company.social ?? []).map(({ href }) => href)];
const described = (lead: Job['body']['lead']): Partial<Job> => ({ body: { lead, parts: [] } });
const paid = (salary: object): Partial<Job> => ({ salary: salary as NonNullable<Job['salary']> });

test.each<[what: string, changes: Partial<Job>, posting: object]>([
  ['is at its own place', {}, { jobLocation: { address: { addressLocality: 'Johannesburg', addressCountry: 'ZA' } } }],
  [
    'names the country of applicants > remote',
    { remote: true },
    { jobLocationType: 'TELECOMMUTE', applicantLocationRequirements: { '@type': 'Country', name: 'South Africa' } },
  ],
  ['names the company', {}, { hiringOrganization: { sameAs } }],
  [
    'is described by escaped HTML with its lists',
    described([{ list: [[{ text: ['<T> & friends'] }]], ordered: false, start: 1 }]),
    { description: '<ul><li>&lt;T&gt; &amp; friends</li></ul>' },
  ],
  [
    'is described without links, by their words',
    described([{ text: ['Read ', { tag: 'a', href: '/about', children: ['our story'] }, '.'] }]),
    { description: '<p>Read our story.</p>' },
  ],
  [
    'has a range of salaries',
    paid({ currency: 'EUR', min: '40000', max: '52000', unit: 'year' }),
    { baseSalary: { currency: 'EUR', value: { minValue: 40_000, maxValue: 52_000, unitText: 'YEAR' } } },
  ],
  [
    'has one salary',
    paid({ currency: 'USD', min: '18.50', unit: 'hour' }),
    { baseSalary: { currency: 'USD', value: { value: 18.5, unitText: 'HOUR' } } },
  ],
])('position > %s', (_what, changes, posting) => {
  if (!page) throw new Error('there is no page');
  const job = { ...JOB, ...changes };
  const found = structuredData({ ...page, job }).find(
    (entity) => '@type' in entity && entity['@type'] === 'JobPosting',
  );
  expect(found).toMatchObject(posting);
  expect('jobLocation' in (found ?? {})).toBe(!job.remote);
  expect('baseSalary' in (found ?? {})).toBe(job.salary !== undefined);
});
