import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ValidationError, type AnySchema } from 'yup';
import { countryCode, nearest, type Surroundings } from '../../src/content/fields.ts';
import {
  companyFile,
  jobFile,
  legalFile,
  navigationFile,
  pageFile,
  type Company,
  type Job,
  type LegalFile,
  type Navigation,
  type Page,
} from '../../src/content/schema.ts';
import { readImages } from '../images.ts';
import { readContentFile, type ContentFile, type Mistake } from './content-file.ts';

/** Everything that the files in `content/` say. */
export interface Content {
  readonly company: Company;
  readonly consent: { readonly key: string; readonly analyticsUrl: string };
  readonly navigation: Navigation;
  /** By their paths, in alphabetical order. The page of path /404 is shown for unknown paths. */
  readonly pages: readonly Page[];
  /** Newest first. */
  readonly jobs: readonly Job[];
}

/** What the operator sets at build time: `SITE_URL`, `SALES_INBOX`, `HR_INBOX`, `RETENTION_DAYS`, `ANALYTICS_URL`. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** The mistakes of all files, a line each. */
export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ file, line, message }) => `content/${file}:${line}: ${message}`).join('\n'));
    this.mistakes = mistakes;
    // Where the loader found them helps nobody who writes.
    this.stack = '';
  }
}

/** Addresses that are files or belong to the server; a page cannot have them. */
const TAKEN = /^\/(?:api|assets|images|icons|fonts|schema)(?:\/|$)/;
const FILES = ['/sitemap.xml', '/robots.txt', '/site.webmanifest'];

/** Path of the page that a file makes, or undefined where it makes none. */
function pathOf(file: string): string | undefined {
  const [, folder, name = ''] = /^(pages|jobs|legal)\/([a-z0-9/-]+)\.(?:yaml|md)$/.exec(file) ?? [];
  if (folder === 'jobs') return `/careers/${name}`;
  return folder && (name === 'home' || name === 'index' ? '/' : `/${name}`);
}

const SCHEMAS: readonly (readonly [RegExp, AnySchema])[] = [
  [/^company\.yaml$/, companyFile],
  [/^navigation\.yaml$/, navigationFile],
  [/^pages\//, pageFile],
  [/^jobs\//, jobFile],
  [/^legal\//, legalFile],
];

type Raw = Readonly<Record<string, unknown>>;
const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);
const rawList = (value: unknown): readonly Raw[] => (Array.isArray(value) ? value.filter(isRaw) : []);

/** The facts that a text names in braces, such as `company.name`. */
function factsOf(company: Raw, settings: Settings): ReadonlyMap<string, string> {
  const days = settings.RETENTION_DAYS || '30';
  const groups = {
    company: {
      ...company,
      host: (settings.SITE_URL || String(company.host)).replace(/\/+$/, ''),
      email: settings.SALES_INBOX || company.email,
      careersEmail: settings.HR_INBOX || company.careersEmail,
    },
    figures: isRaw(company.figures) ? company.figures : {},
    consent: {
      key: `${String(company.name)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')}-cookie-consent`,
    },
  };
  return new Map([
    ...Object.entries(groups).flatMap(([group, facts]) =>
      Object.entries(facts).flatMap(([name, fact]) =>
        typeof fact === 'string' ? [[`${group}.${name}`, fact] as const] : [],
      ),
    ),
    ['retention', `${days} ${days === '1' ? 'day' : 'days'}`],
  ]);
}

/** The anchors of a page, by what its file says. */
function anchorsOf(data: unknown, jobs: readonly string[]): ReadonlySet<string> {
  const page = isRaw(data) ? data : {};
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

/**
 * Reads and checks all files of the content.
 *
 * @param drafts whether what is marked `draft: true` belongs to the site
 * @throws {ContentError} with every mistake of every file
 */
export function loadContent(folder: string, settings: Settings = {}, drafts = false): Content {
  const mistakes: Mistake[] = [];
  const report = (file: string, line: number, message: string) => void mistakes.push({ file, line, message });

  const files = filesIn(folder).flatMap((file) => {
    if (pathOf(file) || SCHEMAS.some(([name]) => name.source === `^${file.replace('.', '\\.')}$`))
      return [readContentFile(folder, file)];
    report(
      file,
      1,
      'belongs to nothing: a page is pages/a-name.yaml, a job jobs/a-name.md, a legal text legal/a-name.md',
    );
    return [];
  });
  for (const needed of ['company.yaml', 'navigation.yaml', 'pages/home.yaml', 'pages/404.yaml'])
    if (!files.some(({ file }) => file === needed)) report(needed, 1, 'is missing');
  mistakes.push(...files.flatMap((file) => file.mistakes));
  const readable = files.filter((file) => file.mistakes.length === 0);

  const rawOf = (name: string): Raw | undefined => {
    const data = readable.find(({ file }) => file === name)?.data;
    return isRaw(data) ? data : undefined;
  };
  const facts = factsOf(rawOf('company.yaml') ?? {}, settings);
  const reportUnknown = rawOf('company.yaml') ? report : () => undefined;
  const filled = readable
    .filter(({ data }) => drafts || !isRaw(data) || data.draft !== 'true')
    .map((file) => ({ ...file, data: fill(file, facts, reportUnknown) }));

  const owners = new Map<string, string>();
  for (const { file } of filled) {
    const path = pathOf(file);
    if (!path) continue;
    const owner = owners.get(path);
    if (owner) report(file, 1, `has the address ${path}, which content/${owner} has too`);
    if (TAKEN.test(path)) report(file, 1, `has the address ${path}, which belongs to the server: choose another name`);
    owners.set(path, file);
  }
  const slugs = filled.flatMap(({ file }) => (file.startsWith('jobs/') ? [file.slice(5, -3)] : []));
  const images = readImages(join(folder, 'images'));
  mistakes.push(...images.mistakes);
  const surroundings: Surroundings = {
    pictures: new Map([...images.images].map(([name, { avif, width }]) => [name, avif.length > 0 ? width : Infinity])),
    groups: rawOf('navigation.yaml') && ['menu', ...Object.keys(rawOf('navigation.yaml')?.groups ?? {})],
    targets: new Map<string, ReadonlySet<string> | undefined>([
      ...FILES.map((file) => [file, new Set<string>()] as const),
      ...files.flatMap(({ file, mistakes: unread }) =>
        unread.length > 0 ? [[pathOf(file) ?? '', undefined] as const] : [],
      ),
      ...filled.flatMap(({ file, data }) => {
        const path = pathOf(file);
        return path ? [[path, anchorsOf(data, slugs)] as const] : [];
      }),
    ]),
  };

  const checked = new Map<string, unknown>();
  for (const file of filled) {
    const verdict = check(file, { ...surroundings, path: pathOf(file.file) ?? '/' });
    if ('content' in verdict) checked.set(file.file, verdict.content);
    else mistakes.push(...verdict.mistakes);
  }
  for (const name of ['title', 'description']) reportRepeated(name, filled, report);
  if (mistakes.length > 0)
    throw new ContentError(mistakes.toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line));
  return assemble(checked, facts, settings);
}

/** Files of the content within its folder; hidden ones, pictures and schemas are no text. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => relative(folder, `${parentPath}/${name}`).replaceAll('\\', '/'))
    .filter((file) => !/^(?:images|schema)\//.test(file))
    .sort();

type Report = (file: string, line: number, message: string) => void;

/** What a file says, with the facts in the places of their names. */
function fill({ file, data, lineOf }: ContentFile, facts: ReadonlyMap<string, string>, report: Report): unknown {
  const filled = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => filled(item, `${path}[${index}]`));
    if (isRaw(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, filled(item, path ? `${path}.${name}` : name)]),
      );
    if (typeof value !== 'string') return value;
    return value.replaceAll(/\{([a-z][\w.]*)\}/gi, (whole, name: string) => {
      const fact = facts.get(name);
      if (fact === undefined)
        report(file, lineOf(path, whole), `${whole} is no fact of company.yaml${nearest(name, facts.keys())}`);
      return fact ?? whole;
    });
  };
  return filled(data, '');
}

/** A file's content as its schema has it, or what is wrong with it. */
type Verdict = { readonly content: unknown } | { readonly mistakes: readonly Mistake[] };
const lastChecked = new Map<string, { readonly input: string; readonly verdict: Verdict }>();

/** Checks a file, unless neither it nor what it is checked against has changed. */
function check(file: ContentFile, context: Surroundings): Verdict {
  const targets = [...context.targets].map(([path, anchors]) => [path, anchors && [...anchors]]);
  const input = JSON.stringify([file.data, context.groups, targets, [...context.pictures]]);
  const last = lastChecked.get(file.file);
  if (last?.input === input) return last.verdict;
  const verdict = judge(file, context);
  lastChecked.set(file.file, { input, verdict });
  return verdict;
}

function judge({ file, data, lineOf }: ContentFile, context: Surroundings): Verdict {
  const schema = SCHEMAS.find(([name]) => name.test(file))?.[1];
  try {
    return { content: schema?.validateSync(data, { abortEarly: false, context }) };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const mistakes = (error.inner.length > 0 ? error.inner : [error]).map(({ path = '', message, params }) => {
      const name = /(\w[\w-]*)(?:\[\d+\])*$/.exec(path)?.[1];
      const text = /(?:cannot be null|must be defined)$/.test(message) ? 'is missing' : message;
      const words = params?.words;
      return {
        file,
        line: lineOf(path, typeof words === 'string' ? words : undefined),
        message: [name, text].filter(Boolean).join(/^(?:is|has|must|needs) /.test(text) ? ' ' : ': '),
      };
    });
    return { mistakes };
  }
}

/** Two pages of one title look like one page to a visitor who searches. */
function reportRepeated(name: string, files: readonly ContentFile[], report: Report): void {
  const seen = new Map<unknown, string>();
  for (const { file, data, lineOf } of files) {
    const value = isRaw(data) && pathOf(file) && !file.startsWith('jobs/') ? data[name] : undefined;
    if (typeof value !== 'string') continue;
    const other = seen.get(value);
    if (other) report(file, lineOf(name), `${name} is that of content/${other} too`);
    seen.set(value, file);
  }
}

/** The site's content out of the checked files. */
function assemble(
  checked: ReadonlyMap<string, unknown>,
  facts: ReadonlyMap<string, string>,
  settings: Settings,
): Content {
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
    consent: { key: fact('consent.key'), analyticsUrl: settings.ANALYTICS_URL ?? '' },
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
