import { expect, test } from '@jest/globals';
import { jobs } from 'virtual:content';
import type { Job } from 'virtual:content';
import { jobPage } from './job-page.ts';
import { structuredData } from './structured-data.tsx';

const postingOf = (changes: Partial<Job>) => {
  const [job] = jobs;
  if (!job) throw new Error('there is no position');
  const entities = structuredData(jobPage({ ...job, ...changes })) as {
    '@type': string;
    description: string;
    jobLocation: object;
  }[];
  const posting = entities.find((entity) => entity['@type'] === 'JobPosting');
  if (!posting) throw new Error('the page describes no position');
  return posting;
};

test('a position is where the posting says, not where the company is', () => {
  const { jobLocation } = postingOf({ town: 'Johannesburg', country: 'South Africa', countryCode: 'ZA' });
  expect(jobLocation).toMatchObject({ address: { addressLocality: 'Johannesburg', addressCountry: 'ZA' } });
});

test('the description of a position is HTML whose words are escaped, and holds every list', () => {
  const { description } = postingOf({
    clauses: [{ id: 'more', title: 'More', blocks: [{ list: [['Templates such as <T> & friends'], ['A kite']] }] }],
  });
  expect(description).toContain('<li>Templates such as &lt;T&gt; &amp; friends</li>');
  expect(description).toContain('<li>A kite</li>');
});

test('the description of a position names its links by their words', () => {
  expect(
    postingOf({ paragraphs: [['Read ', { tag: 'a', href: '/about', children: ['our story'] }, '.']] }).description,
  ).toContain('<p>Read our story.</p>');
});
