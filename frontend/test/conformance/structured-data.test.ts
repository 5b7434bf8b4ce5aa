import { describe, expect, test } from '@jest/globals';
import { one, pageAt, ROUTES, textOf } from './built-site.ts';

type Entity = { readonly '@type': string; readonly [property: string]: unknown };

/** What a type must have: schema.org's own meaning of it, and Google's "required" where it shows such results. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Organization: ['name', 'url'],
  WebSite: ['name', 'url'],
  BreadcrumbList: ['itemListElement'],
  ListItem: ['position', 'name', 'item'],
  Service: ['name', 'description', 'provider', 'serviceType', 'url'],
  FAQPage: ['mainEntity'],
  Question: ['name', 'acceptedAnswer'],
  Answer: ['text'],
  JobPosting: ['title', 'description', 'datePosted', 'hiringOrganization', 'jobLocation', 'employmentType', 'identifier'],
  PropertyValue: ['name', 'value'],
  Place: ['address'],
  PostalAddress: ['addressLocality', 'addressCountry'],
};

/** Employment types that JobPosting knows. */
const EMPLOYMENT_TYPES = ['FULL_TIME', 'PART_TIME', 'CONTRACTOR', 'TEMPORARY', 'INTERN', 'VOLUNTEER', 'PER_DIEM', 'OTHER'];

/** Types that each page describes itself with, in their order. */
function expectedTypes(path: string): readonly string[] {
  if (path === '/') return ['Organization', 'WebSite'];
  if (path === '/contact') return ['BreadcrumbList', 'FAQPage'];
  if (path === '/careers') return ['BreadcrumbList', 'JobPosting'];
  return path.startsWith('/services/') ? ['BreadcrumbList', 'Service'] : ['BreadcrumbList'];
}

const entitiesOf = (path: string) =>
  [...pageAt(path).querySelectorAll('script[type="application/ld+json"]')].map(({ textContent }) => JSON.parse(textContent ?? '') as Entity);

const entityOf = (path: string, type: string) => {
  const entity = entitiesOf(path).find((candidate) => candidate['@type'] === type);
  if (!entity) throw new Error(`${path} has no ${type}`);
  return entity;
};

const isEntity = (value: unknown): value is Entity => typeof value === 'object' && value !== null && '@type' in value;
const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Properties that are missing, at any depth. */
function missing(entity: Entity): readonly string[] {
  const type = entity['@type'];
  const required = REQUIRED[type];
  if (!required) return [`${type} is a type nobody expects`];
  // A reference to an entity that is described elsewhere needs no more than what names it.
  const own = required.filter((property) => isEmpty(entity[property]) && !('@id' in entity && property === 'url')).map((property) => `${type}.${property}`);
  return [...own, ...Object.values(entity).flat().filter(isEntity).flatMap(missing)];
}

const host = new URL(one<HTMLLinkElement>(pageAt('/'), 'link[rel=canonical]').href).origin;
const organizationId = entityOf('/', 'Organization')['@id'];

describe.each(ROUTES)('the structured data of %s', (path) => {
  const entities = entitiesOf(path);

  test('describes the page with the types that fit it', () => {
    expect(entities.map((entity) => entity['@type'])).toEqual(expectedTypes(path));
    expect(entities.map((entity) => entity['@context'])).toEqual(entities.map(() => 'https://schema.org'));
  });

  test('has every required property', () => {
    expect(entities.flatMap(missing)).toEqual([]);
  });

  test('shows no markup of the content files', () => {
    expect(JSON.stringify(entities)).not.toMatch(/\]\(/);
  });

  test('refers to the organisation that the home page describes', () => {
    const references = [...JSON.stringify(entities).matchAll(/"@id":"([^"]+)"/g)].map(([, id]) => id);
    expect(references.filter((id) => id !== organizationId)).toEqual([]);
  });
});

describe.each(ROUTES.filter((path) => path !== '/'))('the breadcrumbs of %s', (path) => {
  test('lead from the home page to this one', () => {
    const trail = entityOf(path, 'BreadcrumbList').itemListElement as Entity[];
    const expected = ['/', ...(path.startsWith('/services/') ? ['/services'] : []), path];
    expect(trail.map(({ item, position }) => [position, item])).toEqual(expected.map((step, index) => [index + 1, `${host}${step}`]));
  });
});

test.each(ROUTES.filter((path) => path.startsWith('/services/')))('the service of %s has this page’s address and description', (path) => {
  const description = one(pageAt(path), 'meta[name=description]').getAttribute('content');
  expect(entityOf(path, 'Service')).toMatchObject({ url: `${host}${path}`, description, provider: { '@id': organizationId } });
});

test('the questions are those that /contact shows, in the same words', () => {
  const questions = entityOf('/contact', 'FAQPage').mainEntity as (Entity & { acceptedAnswer: Entity })[];
  const shown = [...pageAt('/contact').querySelectorAll('.faq details')].map((details) => [textOf(details.querySelector('h3')), textOf(details.querySelector('p'))]);
  expect(questions.map(({ name, acceptedAnswer }) => [name, acceptedAnswer.text])).toEqual(shown);
});

test('the job is the one that /careers shows', () => {
  const job = entityOf('/careers', 'JobPosting');
  expect(job).toMatchObject({ title: 'Android Developer', datePosted: '2025-09-01', jobLocation: { address: { addressCountry: expect.stringMatching(/^(?:India|IN)$/) } } });
  expect(EMPLOYMENT_TYPES).toContain(job.employmentType);
  const shown = textOf(one(pageAt('/careers'), '.job .job-parts > p'));
  const described = new DOMParser().parseFromString(String(job.description), 'text/html').body;
  expect(textOf(described.querySelector('p'))).toBe(shown);
});
