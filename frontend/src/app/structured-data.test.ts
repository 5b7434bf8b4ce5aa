import { expect, test } from '@jest/globals';
import { jobs } from '../content/pages/careers.ts';
import type { JobPosting } from '../content/offers.ts';
import { jobPage } from './job-page.ts';
import { structuredData } from './structured-data.tsx';

const postingOf = (changes: Partial<JobPosting>) => {
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
  const { jobLocation } = postingOf({ location: 'Johannesburg, South Africa', countryCode: 'ZA' });
  expect(jobLocation).toMatchObject({ address: { addressLocality: 'Johannesburg', addressCountry: 'ZA' } });
});

test('the description of a position is HTML whose words are escaped, and holds what is good to have', () => {
  const { description } = postingOf({ requirements: ['Templates such as <T> & friends'], niceToHave: ['A kite'] });
  expect(description).toContain('<li>Templates such as &lt;T&gt; &amp; friends</li>');
  expect(description).toContain('<li>A kite</li>');
});

test('the description of a position names its links by their words', () => {
  expect(postingOf({ description: 'Read [our story](/about).' }).description).toContain('<p>Read our story.</p>');
});
