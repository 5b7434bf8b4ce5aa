import type { BreadcrumbList, FAQPage, JobPosting, Organization, Service, Thing, WebSite, WithContext } from 'schema-dts';
import { company } from '../content/company.ts';
import type { Page, Section } from '../content/model.ts';

const ofKind = <Kind extends Section['kind']>(page: Page, kind: Kind) =>
  page.sections.filter((section): section is Extract<Section, { kind: Kind }> => section.kind === kind);

const context = <Entity extends Thing>(entity: Entity) => ({ '@context': 'https://schema.org', ...(entity as object) }) as WithContext<Entity>;

const organizationId = `${company.host}/#organization`;

const organization = (): WithContext<Organization> =>
  context<Organization>({
    '@type': 'Organization',
    '@id': organizationId,
    name: company.name,
    legalName: company.legalName,
    url: `${company.host}/`,
    logo: `${company.host}/icons/icon-512.png`,
    email: company.email,
    foundingDate: company.incorporated,
    sameAs: company.social.map(({ href }) => href),
  });

const webSite = (): WithContext<WebSite> =>
  context<WebSite>({ '@type': 'WebSite', name: company.name, url: `${company.host}/`, publisher: { '@id': organizationId }, inLanguage: 'en-GB' });

function breadcrumbs(page: Page): WithContext<BreadcrumbList> {
  const trail = [{ name: 'Home', path: '/' }];
  if (page.path.startsWith('/services/')) trail.push({ name: 'Services', path: '/services' });
  trail.push({ name: page.name, path: page.path });
  return context<BreadcrumbList>({
    '@type': 'BreadcrumbList',
    itemListElement: trail.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${company.host}${path}`,
    })),
  });
}

const service = (page: Page): WithContext<Service> =>
  context<Service>({
    '@type': 'Service',
    name: page.name,
    description: page.description,
    url: `${company.host}${page.path}`,
    ...(page.serviceType ? { serviceType: page.serviceType } : {}),
    provider: { '@type': 'Organization', '@id': organizationId, name: company.name, url: `${company.host}/` },
  });

const faqPage = (items: readonly { question: string; answer: string }[]): WithContext<FAQPage> =>
  context<FAQPage>({
    '@type': 'FAQPage',
    mainEntity: items.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1') },
    })),
  });

const jobPostings = (page: Page): WithContext<JobPosting>[] =>
  ofKind(page, 'jobs')
    .flatMap(({ jobs }) => jobs)
    .map((job) =>
      context<JobPosting>({
        '@type': 'JobPosting',
        identifier: { '@type': 'PropertyValue', name: company.name, value: job.id },
        title: job.title,
        description: [job.description, ...job.responsibilities, ...job.requirements].map((text) => `<p>${text}</p>`).join(''),
        datePosted: job.postedDate,
        employmentType: job.type.toUpperCase().replaceAll(/[^A-Z]/g, '_'),
        hiringOrganization: { '@type': 'Organization', '@id': organizationId, name: company.name, sameAs: `${company.host}/` },
        jobLocation: {
          '@type': 'Place',
          address: { '@type': 'PostalAddress', addressLocality: company.homeCity, addressCountry: company.country },
        },
      }),
    );

/** What search engines read about a page, as schema.org entities. */
export function structuredData(page: Page): readonly object[] {
  const faqs = ofKind(page, 'faq').flatMap(({ items }) => items);
  return [
    ...(page.path === '/' ? [organization(), webSite()] : [breadcrumbs(page)]),
    ...(page.path.startsWith('/services/') ? [service(page)] : []),
    ...(faqs.length > 0 ? [faqPage(faqs)] : []),
    ...jobPostings(page),
  ];
}
