import { expect, test } from '@jest/globals';
import { company, pages } from 'virtual:content';
import type { Job } from 'virtual:content';
import { structuredData } from './structured-data.tsx';

const JOB: Job = {
  file: 'jobs/kite-maker.md',
  slug: 'kite-maker',
  title: 'Kite Maker',
  department: 'Workshop',
  remote: undefined,
  town: 'Madurai',
  country: 'India',
  countryCode: 'IN',
  location: 'Madurai, India',
  type: 'Full-time',
  employment: 'Full-time',
  experience: '2 years',
  postedOn: '2026-01-31',
  applyBy: '2027-01-31',
  salary: undefined,
  salaryText: undefined,
  body: { lead: [{ text: ['You make kites.'] }], parts: [] },
};

const postingOf = (changes: Partial<Job>) => {
  const [page] = pages;
  if (!page) throw new Error('there is no page');
  const entities = structuredData({ ...page, job: { ...JOB, ...changes } }) as {
    '@type': string;
    description: string;
    jobLocation?: object;
  }[];
  const posting = entities.find((entity) => entity['@type'] === 'JobPosting');
  if (!posting) throw new Error('the page describes no position');
  return posting;
};

test('position > is at its own location, not at the company’s', () => {
  const { jobLocation } = postingOf({ town: 'Johannesburg', country: 'South Africa', countryCode: 'ZA' });
  expect(jobLocation).toMatchObject({ address: { addressLocality: 'Johannesburg', addressCountry: 'ZA' } });
});

test('position > is described by escaped HTML with every list', () => {
  const { description } = postingOf({
    body: {
      lead: [],
      parts: [
        {
          id: 'more',
          title: 'More',
          blocks: [
            {
              list: [[{ text: ['Templates such as <T> & friends'] }], [{ text: ['A kite'] }]],
              ordered: false,
              start: 1,
            },
          ],
        },
      ],
    },
  });
  expect(description).toContain('<li>Templates such as &lt;T&gt; &amp; friends</li>');
  expect(description).toContain('<li>A kite</li>');
});

test('position > is described without links, by their words', () => {
  expect(
    postingOf({
      body: { lead: [{ text: ['Read ', { tag: 'a', href: '/about', children: ['our story'] }, '.'] }], parts: [] },
    }).description,
  ).toContain('<p>Read our story.</p>');
});

test.each([
  [undefined, undefined],
  [
    { currency: 'EUR', min: '40000', max: '52000', unit: 'year' },
    { minValue: 40_000, maxValue: 52_000, unitText: 'YEAR' },
  ],
  [
    { currency: 'USD', min: '18.50', max: undefined, unit: 'hour' },
    { value: 18.5, unitText: 'HOUR' },
  ],
] as const)('position > has its salary %j', (salary, value) => {
  const baseSalary = salary && { '@type': 'MonetaryAmount', currency: salary.currency, value };
  const posting = postingOf({ salary });
  if (baseSalary) expect(posting).toMatchObject({ baseSalary });
  else expect(posting).not.toHaveProperty('baseSalary');
});

test('organisation of a position > is at its host and its social networks', () => {
  const sameAs = [`${company.host}/`, ...(company.social ?? []).map(({ href }) => href)];
  expect(postingOf({})).toMatchObject({ hiringOrganization: { sameAs } });
});

test('remote position > names the country of applicants, and no town', () => {
  const posting = postingOf({ remote: true, town: undefined });
  expect(posting).toMatchObject({
    jobLocationType: 'TELECOMMUTE',
    applicantLocationRequirements: { '@type': 'Country', name: 'India' },
  });
  expect(posting).not.toHaveProperty('jobLocation');
});
