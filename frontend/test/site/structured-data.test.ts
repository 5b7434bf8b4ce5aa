import { expect, test } from '@jest/globals';
import { one, pageAt, ROUTES, textOf } from './built-site.ts';

type Entity = { readonly '@type': string; readonly [property: string]: unknown };

/** Required properties of each type, by schema.org and by Google's rich results. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Organization: ['name', 'url'],
  WebSite: ['name', 'url'],
  BreadcrumbList: ['itemListElement'],
  ListItem: ['position', 'name', 'item'],
  JobPosting: [
    'title',
    'description',
    'datePosted',
    'hiringOrganization',
    'employmentType',
    'identifier',
    'validThrough',
    'directApply',
  ],
  MonetaryAmount: ['currency', 'value'],
  QuantitativeValue: ['unitText'],
  PropertyValue: ['name', 'value'],
  Place: ['address'],
  Country: ['name'],
  PostalAddress: ['addressLocality', 'addressCountry'],
};

/** Types of each page's structured data, in order. */
function expectedTypes(path: string): readonly string[] {
  if (path === '/') return ['Organization', 'WebSite'];
  return [
    ...(path.lastIndexOf('/') > 0 ? ['BreadcrumbList'] : []),
    ...(path.startsWith('/careers/') ? ['JobPosting'] : []),
  ];
}

const entitiesOf = (path: string) =>
  [...pageAt(path).querySelectorAll('script[type="application/ld+json"]')].map(
    ({ textContent }) => JSON.parse(textContent ?? '') as Entity,
  );

const entityOf = (path: string, type: string) => {
  const entity = entitiesOf(path).find((candidate) => candidate['@type'] === type);
  if (!entity) throw new Error(`${path} has no ${type}`);
  return entity;
};

const isEntity = (value: unknown): value is Entity => typeof value === 'object' && value !== null && '@type' in value;
const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns the missing properties, at any depth. */
function missing(entity: Entity): readonly string[] {
  const type = entity['@type'];
  const required = REQUIRED[type];
  if (!required) return [`${type} is a type nobody expects`];
  // A reference to an entity of another page needs only its name.
  const own = required
    .filter((property) => isEmpty(entity[property]) && !('@id' in entity && property === 'url'))
    .map((property) => `${type}.${property}`);
  return [...own, ...Object.values(entity).flat().filter(isEntity).flatMap(missing)];
}

const host = new URL(one<HTMLLinkElement>(pageAt('/'), 'link[rel=canonical]').href).origin;
const organizationId = entityOf('/', 'Organization')['@id'];

test.each(ROUTES)('structured data of %s > has its types and their properties, and no markup', (path) => {
  const entities = entitiesOf(path);
  expect(entities.map((entity) => entity['@type'])).toEqual(expectedTypes(path));
  expect(entities.map((entity) => entity['@context'])).toEqual(entities.map(() => 'https://schema.org'));
  expect(entities.flatMap(missing)).toEqual([]);
  expect(JSON.stringify(entities)).not.toMatch(/\]\(/);
  const references = [...JSON.stringify(entities).matchAll(/"@id":"([^"]+)"/g)].map(([, id]) => id);
  expect(references.filter((id) => id !== organizationId)).toEqual([]);
});

test.each(ROUTES.filter((path) => path.lastIndexOf('/') > 0))(
  'breadcrumbs of %s > go from the home page to this one',
  (path) => {
    const trail = entityOf(path, 'BreadcrumbList').itemListElement as Entity[];
    const steps = ['/', path.slice(0, path.lastIndexOf('/')), path];
    expect(trail.map(({ item, position }) => [position, item])).toEqual(
      steps.map((step, index) => [index + 1, `${host}${step}`]),
    );
  },
);

test('organisation > has its offices and contacts', () => {
  const { address, telephone, email } = entityOf('/', 'Organization');
  const towns = [...pageAt('/contact').querySelectorAll('address')].map(textOf);
  expect((address as Entity[]).length).toBe(towns.length);
  for (const [index, { addressLocality, postalCode, addressCountry }] of (address as Entity[]).entries()) {
    const [town, code] = [String(addressLocality), String(postalCode)];
    expect([`${town} ${code}`, `${code} ${town}`].some((line) => towns[index]?.includes(line))).toBe(true);
    expect(addressCountry).toMatch(/^[A-Z]{2}$/);
  }
  expect(telephone).toBeTruthy();
  expect(email).toContain('@');
});

const JOBS = ROUTES.filter((path) => path.startsWith('/careers/'));

test('open position > has a page, which its title links to', () => {
  const cards = [...pageAt('/careers').querySelectorAll('article h3 a')].map((link) => link.getAttribute('href'));
  expect(cards.length).toBe(pageAt('/careers').querySelectorAll('main article').length);
  expect(cards.toSorted()).toEqual(JOBS.toSorted());
});

(JOBS.length > 0 ? test.each(JOBS) : test.skip.each(['no position']))(
  'position of %s > has the same description as its page',
  (path) => {
    const job = entityOf(path, 'JobPosting');
    const page = pageAt(path);
    expect(job.title).toBe(textOf(one(page, 'h1')));
    expect(String(job.validThrough).slice(0, 10) > String(job.datePosted)).toBe(true);
    const described = new DOMParser().parseFromString(String(job.description), 'text/html').body;
    const items = [...described.querySelectorAll('li')].map(textOf);
    expect(items).toEqual([...page.querySelectorAll('main li li')].map(textOf));
    expect(items.length).toBeGreaterThan(0);
    expect(page.querySelector('form[action="/api/resume"]')).not.toBeNull();
  },
);
