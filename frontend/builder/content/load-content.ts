import { join } from 'node:path';
import type { AnySchema, InferType } from 'yup';
import { DIALOG_FORM } from '../../../form-service/src/contract/forms.ts';
import { LOCALE } from '../../../form-service/src/contract/locale.ts';
import { readLogo } from '../brand.ts';
import { readImages } from '../images.ts';
import { FRONTEND } from '../paths.ts';
import { brandFindings, LOGO } from './brand-mistakes.ts';
import { withCountryName } from './countries.ts';
import type { Facts } from './facts.ts';
import type { Site } from './fields.ts';
import { filesIn, JOB_TEMPLATE, NEEDED, pathOf, SITE_FILES, wrongName } from './file-names.ts';
import { ContentError, mistake, reminder, sortFindings, type Finding } from './findings.ts';
import { jobPages } from './job-page.ts';
import { parseFile, type ParsedFile } from './parse-file.ts';
import {
  brandFile,
  companyFile,
  jobFile,
  legalFile,
  navigationFile,
  pageFile,
  servicePageFile,
  type CompanyFile,
  type Page,
} from './schema.ts';
import { pageFindings, selectPages, targetsOf } from './site.ts';
import { castFile, type TypedFile } from './typed-file.ts';
import { valuesIn } from './values.ts';
import { readWording } from './wording.ts';

/** The content of all files in `content/`. */
export type Content = ReturnType<typeof loadContent>;

export interface LoadOptions {
  /** The operator's settings at build time: `SITE_URL`, `SALES_INBOX`, `HR_INBOX`, `RETENTION_DAYS`, `ANALYTICS_URL`. */
  readonly settings?: Readonly<Record<string, string | undefined>>;
  /** Whether the site includes drafts. */
  readonly drafts?: boolean;
  /** Day that decides which positions are open, such as 2026-01-31. */
  readonly today?: string;
}

/** Content of the repository, whose words stand in for those that another folder lacks. */
const EXAMPLE = join(FRONTEND, 'content');

/**
 * Loads the content in two passes: parses all files, so that pages, anchors and pictures are known, then casts each by its
 * schema.
 *
 * @throws {ContentError} with every mistake of every file
 */
export function loadContent(folder: string, options: LoadOptions = {}) {
  const { settings = {}, drafts = false, today = new Date().toJSON().slice(0, 10) } = options;
  const names = filesIn(folder).filter((file) => !/^(?:fonts|images)\//.test(file));
  const findings: Finding[] = [
    ...NEEDED.filter((file) => !names.includes(file)).map((file) => mistake(file, 1, 'is missing')),
    ...names.flatMap((file) => {
      const message = wrongName(file, names);
      return message ? [mistake(file, 1, message)] : [];
    }),
  ];
  if (![...SITE_FILES, JOB_TEMPLATE].every((file) => names.includes(file)))
    throw new ContentError(sortFindings(findings));

  const company = readCompany(folder, settings);
  // All files use these two, so their mistakes would be repeated in them.
  const brandSource = parseFile(folder, 'brand.yaml');
  const brand = castFile(brandSource, brandFile, new Map());
  if (!company.data || !brand.data) throw new ContentError(mistakesIn([...company.findings, ...brand.findings]));
  const facts = factsOf(company.data, settings);
  const example = folder === EXAMPLE ? undefined : parseFile(EXAMPLE, 'wording.yaml');
  const wording = readWording(parseFile(folder, 'wording.yaml'), facts, example);
  // Forms and positions use these words.
  if (!wording.data) throw new ContentError(mistakesIn([...findings, ...wording.findings]));

  const menu = parseFile(folder, 'navigation.yaml');
  const template = parseFile(folder, JOB_TEMPLATE);
  const sources = names.filter((file) => pathOf(file) && !wrongName(file, [])).map((file) => parseFile(folder, file));
  const { shown, gone, findings: left } = selectPages([template, ...sources], drafts, today);
  const pageSources = shown.filter((source) => source !== template);
  const images = readImages(join(folder, 'images'));
  const links = menu.values() as { readonly groups?: object | null } | undefined;
  const site: Site = {
    host: company.data.host,
    hues: Object.keys(brand.data.hues),
    // The services are the topics of the enquiry form.
    services: wording.data.forms.contact?.fields.service?.options ?? [],
    groups: links && ['menu', 'others', ...Object.keys(links.groups ?? {})],
    pictures: images.images,
    gone,
    targets: targetsOf(pageSources, template, facts),
  };
  const read = <Of extends AnySchema>(source: ParsedFile, schema: Of) =>
    castFile(source, schema, facts, { site, path: pathOf(source.file) || '/' });
  const navigation = read(menu, navigationFile);
  const { sample, toPage } = jobPages(template, facts, wording.data, site);
  const pages = pageSources.map((source): TypedFile<Page> => {
    const at = { file: source.file, path: pathOf(source.file) };
    if (source.file.startsWith('jobs/')) return toPage(read(source, jobFile), at);
    if (source.file.startsWith('legal/')) return legalPage(read(source, legalFile), at);
    const page = read(source, source.file.startsWith('pages/services/') ? servicePageFile : pageFile);
    return { ...page, data: page.data && { ...page.data, ...at } };
  });
  findings.push(
    ...images.mistakes,
    ...brandFindings(folder, brandSource, brand.data),
    ...left,
    ...[company, wording, navigation, sample, ...pages].flatMap((file) => file.findings),
    ...[template, ...pageSources].flatMap((source) => [...pageFindings(source)]),
  );
  const mistakes = mistakesIn(findings);
  if (mistakes.length > 0 || !navigation.data) throw new ContentError(mistakes);
  const built = pages.flatMap(({ data }) => data ?? []);
  return {
    company: {
      ...company.data,
      /** Address for vulnerability reports (RFC 2142). */
      securityEmail: `security@${company.data.email.split('@').at(-1)}`,
      offices: company.data.offices.map(withCountryName),
    },
    motif: brand.data.motif,
    /** `paper` is the background of all pages. */
    brand: {
      logo: readLogo(join(folder, LOGO)),
      paper: brand.data.colours.paper,
    },
    /** Addresses that the pages show, by the setting that a form names. A script has these, and not the whole company. */
    mailboxes: { SALES_INBOX: company.data.email, HR_INBOX: company.data.careersEmail },
    /** Name and anchor of the form that positions open, without the forms themselves, which scripts would contain. */
    dialogForm: DIALOG_FORM?.kind,
    consent: { key: facts.get('consent.key') ?? '', analyticsUrl: settings.ANALYTICS_URL ?? '' },
    navigation: navigation.data,
    wording: wording.data,
    /** In alphabetical order of their paths, with those of open positions. The page of path /404 is shown for unknown paths. */
    pages: built.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    /** Open positions, newest first. */
    jobs: built.flatMap(({ job }) => job ?? []).toSorted((a, b) => b.postedOn.localeCompare(a.postedOn)),
    /** Findings that do not stop a build, such as a position that has closed. */
    reminders: sortFindings(findings),
  };
}

const mistakesIn = (findings: readonly Finding[]) =>
  sortFindings(findings.filter(({ severity }) => severity === 'mistake'));

/** A legal text as a page. */
const legalPage = (
  { data, findings }: TypedFile<InferType<typeof legalFile>>,
  at: { readonly file: string; readonly path: string },
): TypedFile<Page> => {
  if (!data) return { data, findings };
  const { heading, lead, lastUpdated, body, ...head } = data;
  return {
    findings,
    data: { ...head, ...at, hero: { heading, lead }, sections: [{ kind: 'legal', lastUpdated, body }] },
  };
};

/** Reads company.yaml, whose texts may name its own facts. The operator's settings override some of them. */
function readCompany(folder: string, settings: BuildSettings): TypedFile<CompanyFile> {
  const parsed = parseFile(folder, 'company.yaml');
  const { SITE_URL: host, SALES_INBOX: email, HR_INBOX: careersEmail } = settings;
  const set = {
    ...(host && { host: host.replace(/\/+$/, '') }),
    ...(email && { email }),
    ...(careersEmail && { careersEmail }),
  };
  const values = { ...(parsed.values() as Values | undefined), ...set };
  const own = [...factsOf(values, settings)].filter(([, fact]) => !fact.includes('{'));
  const { data, findings } = castFile(parsed, companyFile, new Map(own));
  return { data: data && { ...data, ...set }, findings: [...findings, ...placeholders(values, parsed)] };
}

/** Placeholders of the example, which a company replaces by its own facts. Prices such as 18 000 € also have groups of zeros. */
const PLACEHOLDER = /kitewright|example|placeholder|\b(?:unit 0|0 sample)\b|^0+$|^\+\d+(?: 0+)+$/i;

/** Reminds of placeholders of the example, except in a trial: on this machine, or under a reserved domain (RFC 2606). */
const placeholders = (company: Values, { file, lineOf }: ParsedFile) =>
  /\.example$|\/\/(?:localhost|127\.)/.test(String(company.host))
    ? []
    : valuesIn(company).flatMap(({ path, value }) =>
        typeof value === 'string' && PLACEHOLDER.test(value)
          ? [reminder(file, lineOf(path), `"${value}" is that of the example: write the company's own`)]
          : [],
      );

type BuildSettings = NonNullable<LoadOptions['settings']>;
type Values = Readonly<Record<string, unknown>>;

const inDays = new Intl.NumberFormat(LOCALE, { style: 'unit', unit: 'day', unitDisplay: 'long', useGrouping: false });

/** The facts that texts name. */
function factsOf({ figures, ...company }: Values, { RETENTION_DAYS }: BuildSettings): Facts {
  const days = RETENTION_DAYS || '30';
  const key = String(company.name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const groups = { company, figures: figures ?? {}, consent: { key: `${key}-cookie-consent` } };
  return new Map([
    ...Object.entries(groups).flatMap(([group, facts]) =>
      Object.entries(facts).flatMap(([name, fact]) =>
        typeof fact === 'string' ? [[`${group}.${name}`, fact] as const] : [],
      ),
    ),
    ['retention', inDays.format(Number(days))],
  ]);
}
