import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ValidationError } from 'yup';
import { readImages, type ImageFacts } from '../images.ts';
import { countryCode } from './countries.ts';
import { pathOf, wrongName } from './file-names.ts';
import { wrongTarget, type ValidationContext } from './fields.ts';
import { isExpired, reminders } from './reminders.ts';
import { schemaOf, type Company, type Job, type LegalFile, type Navigation, type Page } from './schema.ts';
import { readServices, SERVICES_FILE } from './services.ts';
import { readSourceFile, type Facts, type SourceFile } from './source-file.ts';
import type { Mistake } from './yaml-mistakes.ts';

/** Everything that the files in `content/` say. */
export interface Content {
  readonly company: Company;
  readonly consent: { readonly key: string; readonly analyticsUrl: string };
  readonly navigation: Navigation;
  /** By their paths, in alphabetical order. The page of path /404 is shown for unknown paths. */
  readonly pages: readonly Page[];
  /** Those that are open, newest first. */
  readonly jobs: readonly Job[];
  /** What is no mistake, and somebody should look at. */
  readonly reminders: readonly string[];
}

export interface LoadOptions {
  /** What the operator sets at build time: `SITE_URL`, `SALES_INBOX`, `HR_INBOX`, `RETENTION_DAYS`, `ANALYTICS_URL`. */
  readonly settings?: Readonly<Record<string, string | undefined>>;
  /** Whether what is marked `draft: true` belongs to the site. */
  readonly drafts?: boolean;
  /** The day that decides which positions are open, such as 2026-01-31. */
  readonly today?: string;
  /** The services of the enquiry form. */
  readonly servicesFile?: string;
}

/** The mistakes of all files, a line each. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ file, line, message }) => `${folderOf(file)}${file}:${line}: ${message}`).join('\n'));
    this.mistakes = mistakes;
    // Where the loader found them helps nobody who writes.
    this.stack = '';
  }
}

const folderOf = (file: string) => (file.startsWith('form-service/') ? '' : 'content/');

type Raw = Readonly<Record<string, unknown>>;
const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);
const rawList = (value: unknown): readonly Raw[] => (Array.isArray(value) ? value.filter(isRaw) : []);

/**
 * Reads and checks all files of the content.
 *
 * @throws {ContentError} with every mistake of every file
 */
export function loadContent(folder: string, options: LoadOptions = {}): Content {
  const { settings = {}, drafts = false, today = new Date().toJSON().slice(0, 10) } = options;
  const mistakes: Mistake[] = [];
  const report = (file: string, line: number, message: string) => void mistakes.push({ file, line, message });

  const names = filesIn(folder);
  for (const file of names) {
    const message = wrongName(file, names);
    if (message) report(file, 1, message);
  }
  for (const needed of ['company.yaml', 'navigation.yaml', 'pages/home.yaml', 'pages/404.yaml'])
    if (!names.includes(needed)) report(needed, 1, 'is missing');

  const companyFile = names.includes('company.yaml') ? readSourceFile(folder, 'company.yaml') : undefined;
  // Texts everywhere name its facts: their mistakes would be nobody's but its own.
  if (companyFile && companyFile.mistakes.length > 0) throw new ContentError(companyFile.mistakes);
  const facts = isRaw(companyFile?.data) ? factsOf(companyFile.data, settings) : undefined;
  const files = names.filter((file) => !wrongName(file, [])).map((file) => readSourceFile(folder, file, facts));
  mistakes.push(...files.flatMap((file) => file.mistakes));

  const gone = new Map<string, string>();
  const shown = files.filter(({ file, data }) => {
    if (!isRaw(data)) return false;
    const isDraft = data.draft === 'true' && !drafts;
    const expired = file.startsWith('jobs/') && isExpired(data, today);
    if (isDraft) gone.set(pathOf(file) ?? '', 'a draft');
    if (expired) gone.set(pathOf(file) ?? '', `a position that closed on ${String(data.applyBy)}`);
    return !isDraft && !expired;
  });
  const services = readServices(options.servicesFile ?? SERVICES_FILE);
  const images = readImages(join(folder, 'images'));
  mistakes.push(...images.mistakes, ...services.mistakes);

  const navigation = files.find(({ file }) => file === 'navigation.yaml')?.data;
  const slugs = shown.flatMap(({ file }) => (file.startsWith('jobs/') ? [file.slice(5, -3)] : []));
  const unread = files
    .filter(({ data }) => data === undefined)
    .map(({ file }) => [pathOf(file) ?? '', undefined] as const);
  const context: ValidationContext = {
    pictures: new Map<string, ImageFacts | undefined>([
      ...[...images.refused].map((name) => [name, undefined] as const),
      ...images.images,
    ]),
    groups: isRaw(navigation) ? ['menu', 'others', ...Object.keys(navigation.groups ?? {})] : undefined,
    services: services.options,
    gone,
    targets: new Map<string, ReadonlySet<string> | undefined>([
      ...['/sitemap.xml', '/robots.txt', '/site.webmanifest'].map((file) => [file, new Set<string>()] as const),
      ...unread,
      ...shown.map(({ file, data }) => [pathOf(file) ?? '', anchorsOf(data as Raw, slugs)] as const),
    ]),
  };

  const checked = new Map<string, unknown>();
  for (const file of shown) {
    const hasService = Boolean((file.data as Raw).serviceOption);
    const result = validate(file, { ...context, path: pathOf(file.file) ?? '/', hasService });
    checked.set(file.file, result.content);
    mistakes.push(...result.mistakes);
  }
  mistakes.push(...repeated(folder, shown));
  if (mistakes.length > 0)
    throw new ContentError(mistakes.toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line));
  const content = assemble(checked, facts ?? new Map(), settings.ANALYTICS_URL ?? '');
  return { ...content, reminders: reminders(content, today, gone) };
}

/** Files of the content within its folder; hidden ones, pictures and schemas are no text. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => relative(folder, `${parentPath}/${name}`).replaceAll('\\', '/'))
    .filter((file) => !/^(?:images|schema)\//.test(file))
    .sort();

/** The facts that texts name: the company's own, with those that the operator sets. */
function factsOf(company: Raw, settings: NonNullable<LoadOptions['settings']>): Facts {
  const days = settings.RETENTION_DAYS || '30';
  const key = String(company.name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const groups = {
    company: {
      ...company,
      host: (settings.SITE_URL || String(company.host)).replace(/\/+$/, ''),
      email: settings.SALES_INBOX || company.email,
      careersEmail: settings.HR_INBOX || company.careersEmail,
    },
    figures: isRaw(company.figures) ? company.figures : {},
    consent: { key: `${key}-cookie-consent` },
  };
  return new Map([
    ...Object.entries(groups).flatMap(([group, facts]) =>
      Object.entries(facts).flatMap(([name, fact]) =>
        typeof fact === 'string' ? [[`${group}.${name}`, fact] as const] : [],
      ),
    ),
    ['retention', `${days} ${days === '1' ? 'day' : 'days'}`],
    // Known once the pages are built (measured.ts).
    ...['page', 'script'].map((what) => [`measured.${what}`, `{measured.${what}}`] as const),
  ]);
}

/** The anchors of a page, by what its file says. */
function anchorsOf(page: Raw, jobs: readonly string[]): ReadonlySet<string> {
  const sections = rawList(page.sections);
  const ids = [...sections, ...sections.flatMap(({ models }) => rawList(models)), ...rawList(page.clauses)].flatMap(
    ({ id }) => (typeof id === 'string' ? [id] : []),
  );
  const kinds = new Set(sections.map(({ kind }) => kind));
  return new Set([
    'content',
    ...ids,
    ...(kinds.has('jobs') ? jobs : []),
    ...(kinds.has('application') || 'applyBy' in page ? ['application'] : []),
  ]);
}

/** A file's content as its schema has it, and what is wrong with it. */
function validate({ file, data, links, lineOf }: SourceFile, context: ValidationContext) {
  const mistakes: Mistake[] = links.flatMap(({ href, line }) => {
    const message = wrongTarget(href, context);
    return message ? [{ file, line, message }] : [];
  });
  if (file.startsWith('pages/services/')) {
    const { serviceOption, serviceType, keywords = [] } = data as Raw;
    const lacks = (message: string, line = 1) => mistakes.push({ file, line, message });
    if (!serviceOption)
      lacks(
        `serviceOption is missing: which service of the enquiry form is meant here? There are ${context.services.join(', ')}`,
      );
    if (!serviceType) lacks('serviceType is missing: what search engines call this service, such as "Web development"');
    if ((Array.isArray(keywords) || keywords === null) && (keywords?.length ?? 0) < 3)
      lacks(
        'keywords needs three items or more on the page of a service: the words by which people search for it',
        'keywords' in (data as Raw) ? lineOf('keywords') : 1,
      );
  }
  try {
    return { content: schemaOf(file).validateSync(data, { abortEarly: false, context }) as unknown, mistakes };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    for (const { path = '', message, params } of error.inner.length > 0 ? error.inner : [error]) {
      const name = /(\w[\w-]*)(?:\[\d+\])*$/.exec(path)?.[1];
      const text = /(?:cannot be null|must be defined)$/.test(message) ? 'is missing' : message;
      const words = typeof params?.words === 'string' ? params.words : undefined;
      const separator = /^(?:is|has|must|needs) /.test(text) ? ' ' : ': ';
      mistakes.push({ file, line: lineOf(path, words), message: [name, text].filter(Boolean).join(separator) });
    }
    return { content: undefined, mistakes };
  }
}

/** What a copied page still says of the page that it was copied from: to those who search, both look like one. */
const ONCE_ONLY = ['name', 'title', 'description', 'keywords', 'serviceType', 'hero.heading', 'hero.lead'];

/** The file that was changed last is the copy. */
function repeated(folder: string, files: readonly SourceFile[]): readonly Mistake[] {
  const changed = (file: string) => statSync(join(folder, file)).mtimeMs;
  const pages = files
    .filter(({ file }) => /^(?:pages|legal)\//.test(file))
    .toSorted((a, b) => changed(a.file) - changed(b.file));
  return ONCE_ONLY.flatMap((name) => {
    const seen = new Map<string, string>();
    return pages.flatMap(({ file, data, lineOf }) => {
      const value = name.split('.').reduce<unknown>((part, step) => (isRaw(part) ? part[step] : undefined), data);
      if (value === undefined || value === null) return [];
      const other = seen.get(JSON.stringify(value));
      seen.set(JSON.stringify(value), file);
      return other ? [{ file, line: lineOf(name), message: `${name} is still that of content/${other}` }] : [];
    });
  });
}

/** The site's content out of the checked files. */
function assemble(checked: ReadonlyMap<string, unknown>, facts: Facts, analyticsUrl: string) {
  const inFolder = <Data>(folder: string) =>
    [...checked].flatMap(([file, data]) => (file.startsWith(`${folder}/`) ? [[file, data as Data] as const] : []));
  const fact = (name: string) => facts.get(name) ?? '';
  const company = checked.get('company.yaml') as Company;
  const email = fact('company.email');
  return {
    company: {
      ...company,
      host: fact('company.host'),
      email,
      careersEmail: fact('company.careersEmail'),
      securityEmail: `security@${email.split('@').at(-1)}`,
      offices: company.offices.map((office) => ({ ...office, countryCode: countryCode(office.country) })),
    },
    consent: { key: fact('consent.key'), analyticsUrl },
    navigation: checked.get('navigation.yaml') as Navigation,
    pages: [
      ...inFolder<Page>('pages').map(([file, page]) => ({ ...page, file, path: pathOf(file) ?? '/' })),
      ...inFolder<LegalFile>('legal').map(([file, { heading, lead, lastUpdated, clauses, ...head }]) => ({
        ...head,
        file,
        path: pathOf(file) ?? '/',
        hero: { heading, lead },
        sections: [{ kind: 'legal' as const, lastUpdated, clauses }],
      })),
    ].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    jobs: inFolder<Job>('jobs')
      .map(([file, job]) => ({ ...job, file, slug: file.slice(5, -3), countryCode: countryCode(job.country) }))
      .toSorted((a, b) => b.postedOn.localeCompare(a.postedOn)),
  };
}
