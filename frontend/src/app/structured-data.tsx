import { LOCALE } from 'form-service/contract/locale';
import { Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { company, pages, type Job, type Page } from 'virtual:content';
import { Markdown } from '../components/ui/markdown.tsx';

/** Profiles of the company in social networks. */
const profiles = company.social?.map(({ href }) => href) ?? [];

const organizationId = `${company.host}/#organization`;

const organization = () => ({
  '@type': 'Organization',
  '@id': organizationId,
  name: company.name,
  legalName: company.legalName,
  url: `${company.host}/`,
  logo: `${company.host}/icons/icon-512.png`,
  email: company.email,
  telephone: company.phone,
  address: company.offices.map(({ name, street, locality, postalCode, countryCode }) => ({
    '@type': 'PostalAddress',
    name,
    streetAddress: street.join(', '),
    addressLocality: locality,
    postalCode,
    addressCountry: countryCode,
  })),
  sameAs: profiles.length > 0 ? profiles : undefined,
});

const webSite = () => ({
  '@type': 'WebSite',
  name: company.name,
  url: `${company.host}/`,
  publisher: { '@id': organizationId },
  inLanguage: LOCALE,
});

/** Breadcrumbs of a page below another one; other pages need none. */
function breadcrumbs(page: Page): readonly object[] {
  const above = pages.filter(({ path }) => page.path.startsWith(`${path}/`));
  if (above.length === 0) return [];
  const home = pages.filter(({ path }) => path === '/');
  const itemListElement = [...home, ...above, page].map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: `${company.host}${path}`,
  }));
  return [{ '@type': 'BreadcrumbList', itemListElement }];
}

/** Renders a position's text as the HTML that search engines accept: no links, classes or ids. */
const jobDescription = ({ lead, parts }: Job['body']) =>
  renderToStaticMarkup(
    <>
      <Markdown blocks={lead} heading="h4" />
      {parts.map(({ id, title, blocks }) => (
        <Fragment key={id}>
          <h3>{title}</h3>
          <Markdown blocks={blocks} heading="h4" />
        </Fragment>
      ))}
    </>,
  ).replaceAll(/<\/?(?:a|span|div)\b[^>]*>| (?:class|id)="[^"]*"/g, '');

/** Location of a position: a town, or the country of a remote one. */
const placeOf = ({ remote, town, country, countryCode }: Job): object =>
  remote
    ? { jobLocationType: 'TELECOMMUTE', applicantLocationRequirements: { '@type': 'Country', name: country } }
    : {
        jobLocation: {
          '@type': 'Place',
          address: { '@type': 'PostalAddress', addressLocality: town ?? '', addressCountry: countryCode },
        },
      };

const salaryOf = ({ currency, min, max, unit }: NonNullable<Job['salary']>) => ({
  '@type': 'MonetaryAmount',
  currency,
  value: {
    '@type': 'QuantitativeValue',
    ...(max ? { minValue: Number(min), maxValue: Number(max) } : { value: Number(min) }),
    unitText: unit.toUpperCase(),
  },
});

const jobPosting = (job: Job) => ({
  '@type': 'JobPosting',
  identifier: { '@type': 'PropertyValue', name: company.name, value: job.slug },
  title: job.title,
  description: jobDescription(job.body),
  datePosted: job.postedOn,
  // Readers may take a date without a time as 00:00.
  validThrough: `${job.applyBy}T23:59:59Z`,
  directApply: true,
  employmentType: job.type.toUpperCase().replaceAll(/[^A-Z]/g, '_'),
  hiringOrganization: {
    '@type': 'Organization',
    '@id': organizationId,
    name: company.name,
    sameAs: [`${company.host}/`, ...profiles],
  },
  ...placeOf(job),
  ...(job.salary && { baseSalary: salaryOf(job.salary) }),
});

/** Returns the structured data of a page as schema.org entities: those that search engines show. */
export function structuredData(page: Page): readonly object[] {
  const entities = [
    ...(page.path === '/' ? [organization(), webSite()] : breadcrumbs(page)),
    ...(page.job ? [jobPosting(page.job)] : []),
  ];
  return entities.map((entity) => ({ '@context': 'https://schema.org', ...entity }));
}
