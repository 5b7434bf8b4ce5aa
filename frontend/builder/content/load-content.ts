import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { AnySchema } from 'yup';
import { LOCALE } from '../../../form-service/src/contract/locale.ts';
import { tabIcon } from '../brand-icons.ts';
import { readLogo, type Colour, type Logo } from '../brand.ts';
import { readImages } from '../images.ts';
import { FRONTEND } from '../paths.ts';
import { brandFindings, LOGO } from './brand-mistakes.ts';
import { withCountryName } from './countries.ts';
import { closedOn, crossCheck } from './cross-check.ts';
import type { Facts } from './facts.ts';
import { isToolFile, JOB_TEMPLATE, pathOf, wrongName } from './file-names.ts';
import { ContentError, mistake, reminder, sortFindings, type Finding } from './findings.ts';
import { jobPages } from './job-page.ts';
import { unwrittenTexts } from './marks.ts';
import EXAMPLE_VALUES from './example-values.json' with { type: 'json' };
import { parseFile, type ParsedFile } from './parse-file.ts';
import {
  brandFile,
  companyFile,
  jobFile,
  legalFile,
  navigationFile,
  pageFile,
  type BrandFile,
  type Company,
  type CompanyFile,
  type Job,
  type Navigation,
  type Page,
} from './schema.ts';
import { castFile, type TypedFile } from './typed-file.ts';
import { valuesIn } from './values.ts';
import { readWording, type Wording } from './wording.ts';

/** The content of all files in `content/`. */
export interface Content {
  readonly company: Company;
  readonly motif: BrandFile['motif'];
  /** `paper` is the background of all pages; `tabIcon` an address. */
  readonly brand: { readonly logo: Logo; readonly tabIcon: string; readonly paper: Colour };
  /** Addresses that the pages show, by the setting that a form names. A script has these, and not the whole company. */
  readonly mailboxes: { readonly SALES_INBOX: string; readonly HR_INBOX: string };
  readonly consent: { readonly key: string; readonly analyticsUrl: string };
  readonly navigation: Navigation;
  readonly wording: Wording;
  /** In alphabetical order of their paths, with those of open positions. The page of path /404 is shown for unknown paths. */
  readonly pages: readonly Page[];
  /** Open positions, newest first. */
  readonly jobs: readonly Job[];
  /** Findings that do not stop a build, such as a position that closes soon. */
  readonly reminders: readonly Finding[];
}

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

const NEEDED = [
  'brand.yaml',
  'company.yaml',
  'navigation.yaml',
  'wording.yaml',
  'pages/home.yaml',
  'pages/404.yaml',
  JOB_TEMPLATE,
];

/**
 * Loads the content in two passes: parses each file and casts it by its schema, then checks the typed files against each
 * other.
 *
 * @throws {ContentError} with every mistake of every file
 */
export function loadContent(folder: string, options: LoadOptions = {}): Content {
  const { settings = {}, drafts = false, today = new Date().toJSON().slice(0, 10) } = options;
  const names = filesIn(folder);
  const findings: Finding[] = [
    ...NEEDED.filter((file) => !names.includes(file)).map((file) => mistake(file, 1, 'is missing')),
    ...names.flatMap((file) => {
      const message = wrongName(file, names);
      return message ? [mistake(file, 1, message)] : [];
    }),
  ];
  const isThere = (file: string) => names.includes(file);
  if (!['brand.yaml', 'company.yaml', 'navigation.yaml', 'wording.yaml', JOB_TEMPLATE].every(isThere))
    throw new ContentError(sortFindings(findings));

  const company = readCompany(folder, settings);
  // All files use these two, so their mistakes would be repeated in them.
  const brand = castFile(parseFile(folder, 'brand.yaml'), brandFile, new Map());
  if (!company.data || !brand.data) throw new ContentError(mistakesIn([...company.findings, ...brand.findings]));
  const facts = factsOf(company.data, settings);
  const read = <Of extends AnySchema>(schema: Of, file: string) => {
    const parsed = parseFile(folder, file);
    findings.push(...unwrittenTexts(parsed));
    return castFile(parsed, schema, facts);
  };
  const inFolder = (name: string) =>
    names.filter((file) => file.startsWith(`${name}/`) && !wrongName(file, []) && file !== JOB_TEMPLATE);

  const navigation = read(navigationFile, 'navigation.yaml');
  const words = parseFile(folder, 'wording.yaml');
  findings.push(...unwrittenTexts(words));
  const wording = readWording(words, facts, folder === EXAMPLE ? undefined : parseFile(EXAMPLE, 'wording.yaml'));
  // Forms and positions use these words.
  if (!wording.data) throw new ContentError(mistakesIn([...findings, ...wording.findings]));
  const { sample, toPage } = jobPages(parseFile(folder, JOB_TEMPLATE), facts, wording.data);
  const pages: readonly TypedFile<Page>[] = [
    ...inFolder('pages').map((file) => withPath(read(pageFile, file), (page) => page)),
    ...inFolder('legal').map((file) =>
      withPath(read(legalFile, file), ({ heading, lead, lastUpdated, body, ...head }) => ({
        ...head,
        hero: { heading, lead },
        sections: [{ kind: 'legal', lastUpdated, body }],
      })),
    ),
    ...inFolder('jobs').map((file) => toPage(read(jobFile, file))),
  ];
  const shown = pages.filter((page) => (drafts || !page.isDraft) && !closedOn(page, today));
  const images = readImages(join(folder, 'images'));
  findings.push(
    ...images.mistakes.map(({ file, message }) => mistake(file, 1, message)),
    ...brandFindings(folder, brand),
    ...[company, navigation, wording, sample, ...shown].flatMap((file) => file.findings),
    ...crossCheck({
      company,
      navigation,
      sample,
      pages,
      shown,
      brand,
      images,
      services: servicesOf(wording.data),
      today,
    }),
  );
  const mistakes = mistakesIn(findings);
  if (mistakes.length > 0 || !navigation.data) throw new ContentError(mistakes);
  const built = shown.flatMap(({ data }) => data ?? []);
  return {
    company: {
      ...company.data,
      securityEmail: `security@${company.data.email.split('@').at(-1)}`,
      offices: company.data.offices.map(withCountryName),
    },
    motif: brand.data.motif,
    brand: {
      logo: readLogo(join(folder, LOGO)),
      tabIcon: tabIcon(),
      paper: brand.data.colours.paper,
    },
    mailboxes: { SALES_INBOX: company.data.email, HR_INBOX: company.data.careersEmail },
    consent: { key: facts.get('consent.key') ?? '', analyticsUrl: settings.ANALYTICS_URL ?? '' },
    navigation: navigation.data,
    wording: wording.data,
    pages: built.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    jobs: built.flatMap(({ job }) => job ?? []).toSorted((a, b) => b.postedOn.localeCompare(a.postedOn)),
    reminders: sortFindings(findings),
  };
}

const mistakesIn = (findings: readonly Finding[]) =>
  sortFindings(findings.filter(({ severity }) => severity === 'mistake'));

/** The services of the enquiry form, which pages name; empty if they have mistakes. */
const servicesOf = (wording: Wording | undefined) => wording?.forms.contact?.fields.service?.options ?? [];

/** Makes a page from a file's data, at the path of the file. */
const withPath = <Data>(
  source: TypedFile<Data>,
  toContent: (data: Data) => Omit<Page, 'file' | 'path'>,
): TypedFile<Page> => {
  const { file } = source;
  const page = source.data && toContent(source.data);
  return { ...source, data: page && { ...page, file, path: pathOf(file) } };
};

/** Lists the content files, without pictures and schemas. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isToolFile(entry.name))
    .map(({ parentPath, name }) => relative(folder, `${parentPath}/${name}`).replaceAll('\\', '/'))
    .filter((file) => !/^(?:fonts|images|schema)\//.test(file))
    .sort();

/** Reads company.yaml, whose texts may name its own facts. The operator's settings override some of them. */
function readCompany(folder: string, settings: BuildSettings): TypedFile<CompanyFile> {
  const parsed = parseFile(folder, 'company.yaml');
  const set = (company: Values) => ({
    host: (settings.SITE_URL || String(company.host)).replace(/\/+$/, ''),
    email: settings.SALES_INBOX || String(company.email),
    careersEmail: settings.HR_INBOX || String(company.careersEmail),
  });
  const values = (parsed.values((text) => text) ?? {}) as Values;
  const own = [...factsOf({ ...values, ...set(values) }, settings)].filter(([, fact]) => !fact.includes('{'));
  const company = castFile(parsed, companyFile, new Map(own));
  const data = company.data && { ...company.data, ...set(company.data) };
  return {
    ...company,
    data,
    findings: [...company.findings, ...valuesOfExample({ ...values, ...set(values) }, parsed)],
  };
}

/** Fields whose value may well be the same in the example. */
const COMMON = /^language$|^social\[\d+\]\.name$|\.country$/;

/** Reminds of facts that are still those of the example, except while its own site or a trial on this machine is built. */
const valuesOfExample = (company: Values, { file, lineOf }: ParsedFile) =>
  company.host === EXAMPLE_VALUES.host || /^https?:\/\/(?:localhost|127\.)/.test(String(company.host))
    ? []
    : valuesIn(company).flatMap(({ path, value }) =>
        EXAMPLE_VALUES.others.includes(String(value)) && !COMMON.test(path)
          ? [reminder(file, lineOf(path), `"${String(value)}" is that of the example: write the company's own`)]
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
