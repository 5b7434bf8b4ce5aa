import { DIALOG_FORM, FORMS } from '../../../form-service/src/contract/forms.ts';
import type { Images } from '../images.ts';
import type { Site } from './fields.ts';
import { isTakenId, JOB_TEMPLATE, pathOf } from './file-names.ts';
import { mistake, reminder, type Finding } from './findings.ts';
import { formMistakes } from './form-mistakes.ts';
import type { BrandFile, CompanyFile, Navigation, Page } from './schema.ts';
import type { TypedFile } from './typed-file.ts';
import { valuesIn } from './values.ts';

interface TypedFiles {
  readonly brand: TypedFile<BrandFile>;
  readonly company: TypedFile<CompanyFile>;
  readonly navigation: TypedFile<Navigation>;
  /** The template of positions, filled with the names of their fields. */
  readonly sample: TypedFile<object>;
  readonly pages: readonly TypedFile<Page>[];
  /** Pages without drafts and closed positions. */
  readonly shown: readonly TypedFile<Page>[];
  readonly images: Images;
  readonly services: readonly string[];
  readonly today: string;
}

/** The second pass: checks the typed files against each other. */
export function* crossCheck(files: TypedFiles): Generator<Finding> {
  const { company, navigation, sample, pages, shown } = files;
  const site = siteOf(files);
  const isNeeded = !pages.some(({ data }) => data?.job);
  for (const { file, data, later } of [company, navigation, ...(isNeeded ? [sample] : []), ...shown]) {
    const hasService = data === undefined || ('serviceOption' in data && Boolean(data.serviceOption));
    for (const { check, toFinding } of later) {
      const message = check(site, { path: pathOf(file) || '/', hasService });
      if (message) yield toFinding(message);
    }
  }
  yield* shown.flatMap((page) => [...ofServicePage(page, files.services), ...repeatedIds(page, slugsOf(shown))]);
  for (const { file, isDraft, lineOf } of [sample, ...pages])
    if (isDraft && ['', '/', '/404'].includes(pathOf(file)))
      yield mistake(file, lineOf('draft'), 'draft cannot stand here: the site needs this file');
  yield* positions(files);
  yield* formMistakes(FORMS, formSections(pages));
}

/** Day on which a page's position closed, if it has. */
export const closedOn = ({ data }: TypedFile<Page>, today: string) =>
  data?.job && data.job.applyBy < today ? data.job.applyBy : undefined;

const slugsOf = (pages: TypedFiles['shown']) => pages.flatMap(({ data }) => data?.job?.slug ?? []);

function siteOf({ brand, company, navigation, pages, shown, images, services, today }: TypedFiles): Site {
  const jobs = slugsOf(shown);
  const why = (page: TypedFile<Page>) => {
    const day = closedOn(page, today);
    return day ? `a position that closed on ${day}` : 'a draft';
  };
  return {
    services,
    host: company.data?.host ?? '',
    hues: Object.keys(brand.data?.hues ?? {}),
    pictures: new Map([...[...images.refused].map((name) => [name, undefined] as const), ...images.images]),
    groups: navigation.data && ['menu', 'others', ...Object.keys(navigation.data.groups ?? {})],
    gone: new Map(pages.filter((page) => !shown.includes(page)).map((page) => [pathOf(page.file), why(page)])),
    targets: new Map([
      ...['/sitemap.xml', '/robots.txt', '/site.webmanifest'].map((file) => [file, new Set<string>()] as const),
      ...shown.map(({ file, data }) => [pathOf(file), data && anchorsOf(data, jobs)] as const),
    ]),
  };
}

/** Anchor of the form that positions open. */
const DIALOG_IDS = DIALOG_FORM ? [DIALOG_FORM.kind] : [];

/** Forms in sections, with the paths of their pages. */
const formSections = (pages: TypedFiles['pages']) =>
  pages.flatMap(({ file, data }) =>
    (data?.sections ?? []).flatMap((section) =>
      section.kind === 'form' ? [{ form: section.form, path: pathOf(file) }] : [],
    ),
  );

/** Ids of a page's sections, with their paths in the file. */
const idsOf = ({ sections }: Page, jobs: readonly string[]) =>
  sections.flatMap((section, index) => [
    ...(section.kind === 'jobs' ? jobs.map((id) => ({ id, path: `sections[${index}].kind` })) : []),
    ...('id' in section && section.id ? [{ id: section.id, path: `sections[${index}].id` }] : []),
    ...('models' in section
      ? section.models.map(({ id }, place) => ({ id, path: `sections[${index}].models[${place}].id` }))
      : []),
  ]);

function bodyOf(section: Page['sections'][number]) {
  if (section.kind === 'legal') return section.body;
  return 'job' in section ? section.job.body : undefined;
}

function anchorsOf(page: Page, jobs: readonly string[]): ReadonlySet<string> {
  const ofSections = page.sections.flatMap((section) => {
    if (section.kind === 'jobs') return DIALOG_IDS;
    const { parts } = bodyOf(section) ?? { parts: [] };
    return [
      ...(section.kind === 'job' ? DIALOG_IDS : []),
      ...parts.flatMap(({ id, blocks }) => [id, ...blocks.flatMap((block) => ('heading' in block ? block.id : []))]),
    ];
  });
  return new Set(['site-content', ...idsOf(page, jobs).map(({ id }) => id), ...ofSections]);
}

/** Checks the fields that only service pages need, for search engines and for the link to the enquiry form. */
function* ofServicePage({ file, data, lineOf }: TypedFile<Page>, services: readonly string[]) {
  if (data && !data.job && data.sections.some(({ kind }) => kind === 'job'))
    yield mistake(file, 1, `"kind: job" can stand in ${JOB_TEMPLATE} only`);
  if (!data || !file.startsWith('pages/services/')) return;
  const { serviceOption, serviceType, keywords } = data;
  if (!serviceOption)
    yield mistake(
      file,
      1,
      `serviceOption is missing: which service of the enquiry form is meant here? There are ${services.join(', ')}`,
    );
  if (!serviceType)
    yield mistake(file, 1, 'serviceType is missing: what search engines call this service, such as "Web development"');
  if ((keywords?.length ?? 0) < 3)
    yield mistake(
      file,
      keywords ? lineOf('keywords') : 1,
      'keywords needs three items or more on the page of a service: the words by which people search for it',
    );
}

function* repeatedIds({ file, data, lineOf }: TypedFile<Page>, jobs: readonly string[]) {
  if (!data) return;
  if (data.job && isTakenId(data.job.slug))
    yield mistake(file, 1, 'has the name of a part of the page that lists it: choose another name for the file');
  const seen = new Set<string>();
  for (const { id, path } of idsOf(data, jobs)) {
    if (isTakenId(id))
      yield mistake(
        file,
        lineOf(path),
        `id: "${id}" belongs to the frame of the page or to a form: choose another one`,
      );
    if (seen.has(id))
      yield mistake(file, lineOf(path), `id: "${id}" is the id of another section of this page: choose another one`);
    seen.add(id);
  }
  const [, second] = data.sections.flatMap(({ kind }, index) => (/^(?:form|jobs?)$/.test(kind) ? [index] : []));
  if (second !== undefined)
    yield mistake(file, lineOf(`sections[${second}].kind`), 'a page has one form: move this section to another page');
  if (data.sections.some(({ kind }) => kind === 'jobs' || kind === 'job')) return;
  for (const { path, key, value } of valuesIn(data))
    if (key === 'opens')
      yield mistake(
        file,
        lineOf(path),
        `opens: the form "${String(value)}" is on pages with positions only, so this button would do nothing: write "href: ${DIALOG_FORM?.page}#${String(value)}" instead`,
      );
}

/** Reports positions that have closed. */
function* positions({ pages, today }: TypedFiles) {
  for (const page of pages) {
    const { file, isDraft, lineOf } = page;
    const closed = closedOn(page, today);
    if (closed && !isDraft)
      yield reminder(
        file,
        lineOf('applyBy'),
        `the position closed on ${closed} and is left out: delete the file, or change applyBy`,
      );
  }
}
