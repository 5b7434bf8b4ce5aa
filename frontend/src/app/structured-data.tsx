import { LOCALE } from 'form-service/contract/locale';
import { Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { company, pages } from 'virtual:content';
import type { Job, Page, Section, SectionOf } from 'virtual:content';
import { Markdown } from '../components/ui/markdown.tsx';
import { priceIn } from '../components/ui/price.ts';
import { plainText } from '../components/ui/rich-text.tsx';

const ofKind = <Kind extends Section['kind']>(page: Page, kind: Kind) =>
  page.sections.filter((section): section is SectionOf<Kind> => section.kind === kind);

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
  contactPoint: [
    { '@type': 'ContactPoint', contactType: 'sales', email: company.email, telephone: company.phone },
    { '@type': 'ContactPoint', contactType: 'human resources', email: company.careersEmail },
  ],
  foundingDate: company.incorporated,
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

/** The lowest price that the page names. */
function offers(page: Page): object {
  const facts = page.sections.flatMap((section) => ('facts' in section ? (section.facts ?? []) : []));
  const [price] = facts.flatMap((fact) => priceIn(fact.value) ?? []);
  if (!price) return {};
  const priceSpecification = {
    '@type': 'PriceSpecification',
    minPrice: price.value,
    priceCurrency: price.currency,
  };
  return { offers: { '@type': 'Offer', priceSpecification } };
}

const service = (page: Page) => ({
  '@type': 'Service',
  name: page.name,
  description: page.description,
  url: `${company.host}${page.path}`,
  ...(page.serviceType ? { serviceType: page.serviceType } : {}),
  ...offers(page),
  provider: { '@type': 'Organization', '@id': organizationId, name: company.name, url: `${company.host}/` },
});

const faqPage = (items: SectionOf<'faq'>['items']) => ({
  '@type': 'FAQPage',
  mainEntity: items.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: plainText(answer) },
  })),
});

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

/** Returns the structured data of a page as schema.org entities. */
export function structuredData(page: Page): readonly object[] {
  const faqs = ofKind(page, 'faq').flatMap(({ items }) => items);
  const entities = [
    ...(page.path === '/' ? [organization(), webSite()] : breadcrumbs(page)),
    ...(page.path.startsWith('/services/') ? [service(page)] : []),
    ...(faqs.length > 0 ? [faqPage(faqs)] : []),
    ...(page.job ? [jobPosting(page.job)] : []),
  ];
  return entities.map((entity) => ({ '@context': 'https://schema.org', ...entity }));
}
