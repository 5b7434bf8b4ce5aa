import { array, lazy, object, type AnySchema, type InferType, type ISchema, type Schema } from 'yup';
import { choice, country, day, flag, groupName, href, imageName, isDay, line, list, record, text } from './fields.ts';
import { iconNames, type IconName } from './icons.ts';

/** What the files in `content/` may say. Types, checks and the editors' JSON Schema all come from here. */

/** A sentence or more, as inline Markdown: links, bold, emphasis. */
export type Text = string;

const HUES = [
  'sky',
  'teal',
  'amber',
  'purple-600',
  'blue-600',
  'green-600',
  'indigo-600',
  'cyan-600',
  'orange-600',
  'pink-600',
  'red-600',
] as const;
const SHAPES = ['cards', 'rows', 'columns', 'split', 'tags', 'metrics'] as const;
const EMPLOYMENT = [
  'Full-time',
  'Part-time',
  'Contractor',
  'Temporary',
  'Intern',
  'Volunteer',
  'Per diem',
  'Other',
] as const;

/** Accent of a page or card. */
export type Hue = (typeof HUES)[number];

const MISSING = 'is missing';
const NO_ALT = 'is missing: say what the picture shows, or write "" if it only decorates';
const words = () => line().required(MISSING);
const copy = () => text().required(MISSING);
const hue = () => choice(HUES, 'colour').required(MISSING);
const icon = () => choice(iconNames, 'icon');
const lines = () => list(text().required(MISSING)).required(MISSING);
const id = () => line().matches(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens');

/** A picture of `content/images/`, and what it shows; '' where it only decorates. */
const picture = record({
  image: imageName(1200).required(MISSING),
  alt: line().nonNullable(NO_ALT).defined(NO_ALT),
});

/** One of two schemas, by the value. Yup's own types of `lazy` know one schema only. */
const either = <One, Other>(one: ISchema<One>, other: ISchema<Other>, isOne: (value: unknown) => boolean) =>
  lazy((value: unknown) => (isOne(value) ? one : other) as AnySchema).meta({
    anyOf: [one, other],
  }) as unknown as Schema<One | Other>;
const isText = (value: unknown) => typeof value === 'string';

/** Something to press that leads somewhere. */
const pressedLink = record({
  label: words(),
  about: line().meta({ description: 'What the label leaves open, said to those who hear it out of its place.' }),
  href: href().required('is missing: where does it lead? (or "opens: application" for the form)'),
  newTab: flag(),
});
/** Something to press that opens the application form. */
const opener = record({ label: words(), opens: choice(['application'], 'form').required(MISSING) });
const action = either(opener, pressedLink, (value) => typeof value === 'object' && value !== null && 'opens' in value);

const actions = list(action);
const link = record({ label: words(), href: href().required(MISSING) });
const group = record({ title: words(), links: list(link).required(MISSING) });
const stats = () => list(record({ value: words(), label: words() })).required(MISSING);
const facts = () => list(record({ label: words(), value: words(), note: line() }));

const ofKind = <Kind extends string>(kind: Kind) => choice([kind], 'kind of section').required(MISSING);
const frame = <Kind extends string>(kind: Kind) => ({
  kind: ofKind(kind),
  id: id().meta({ description: 'Anchor that links may lead to.' }),
  heading: words(),
  intro: text(),
  actions,
});

/** The kinds of section, each drawn by one component in `src/components/blocks/` or `src/features/`. */
export const sections = {
  /** Large figures in a row. */
  stats: record({ ...frame('stats'), stats: stats() }),
  /**
   * Points of equal rank. `shape` says how they relate: cards stand alone; rows are arguments read one after another; columns
   * are short parallel lists; split is few big statements beside the heading; tags are names; metrics lead with a figure.
   */
  features: record({
    ...frame('features'),
    shape: choice(SHAPES, 'shape').required(MISSING),
    items: list(
      record({
        icon: icon(),
        title: words(),
        description: text(),
        bullets: list(copy()),
        label: line().meta({ description: 'Badge such as "Most Popular".' }),
        metric: line().meta({ description: 'Key figure, for example 99.9%.' }),
        metricLabel: line().meta({ description: 'What the key figure counts.' }),
        href: href(),
      }),
    ).required(MISSING),
  }),
  /** Steps joined by a line, with an optional closing summary. */
  process: record({
    ...frame('process'),
    steps: list(
      record({ step: words(), title: words(), description: copy(), duration: line(), deliverables: list(copy()) }),
    ).required(MISSING),
    summary: text(),
  }),
  /** Technologies, shown in groups by their category. */
  stack: record({
    ...frame('stack'),
    technologies: list(record({ name: words(), category: words() })).required(MISSING),
  }),
  /** A few facts that read at a glance, then what they depend on. */
  pricing: record({ ...frame('pricing'), facts: facts().required(MISSING), notes: list(copy()) }),
  /** Paragraphs, with an optional picture or a short list of facts beside them. */
  prose: record({ ...frame('prose'), paragraphs: lines(), picture: picture.optional(), facts: facts() }),
  /** A story told in parts, for example situation, work, result. */
  story: record({ ...frame('story'), parts: list(record({ title: words(), paragraphs: lines() })).required(MISSING) }),
  /** A drawing that explains, and the same in words. */
  figure: record({
    ...frame('figure'),
    figure: imageName(0, 'figures/').required(MISSING),
    alt: words().meta({ description: 'What the drawing shows, in a line.' }),
    caption: copy(),
    words: list(copy()).meta({
      description: 'What the drawing says and the page does not, for those who do not see it.',
    }),
    ordered: flag().meta({ description: 'The words are steps in their order.' }),
  }),
  /** Offers side by side: a column each, what they differ in row by row. */
  comparison: record({
    ...frame('comparison'),
    columns: lines(),
    rows: list(record({ name: words(), cells: lines() })).required(MISSING),
  }).test(
    'cells',
    'has a row with more or fewer cells than there are columns',
    (value) => !value?.rows || value.rows.every(({ cells }) => cells?.length === value.columns?.length),
  ),
  faq: record({ ...frame('faq'), items: list(record({ question: words(), answer: copy() })).required(MISSING) }),
  /** Closing call to action. */
  cta: record({ ...frame('cta'), actions: actions.required(MISSING) }),
  /** The offices of company.yaml. */
  offices: record(frame('offices')),
  /** The form, and beside it on a wide screen what those who write can count on. */
  'contact-form': record({
    ...frame('contact-form'),
    promises: record({
      heading: words(),
      items: list(record({ title: words(), description: copy() })).required(MISSING),
    }).optional(),
  }),
  /** The positions of jobs/, and what to do when none of them fits. */
  jobs: record({
    ...frame('jobs'),
    otherwise: record({ heading: words(), text: copy(), actions: actions.required(MISSING) }).optional(),
  }),
  /** The dialog with the application form, once on each page that opens it. */
  application: record({ kind: ofKind('application') }),
  /** Links in named groups: groups of navigation.yaml by their names, "menu" for all of the menu's, or groups of the page's own. */
  'link-groups': record({
    ...frame('link-groups'),
    groups: list(either(groupName().required(MISSING), group, isText)).required(MISSING),
  }),
  /** A grid of services; the first two features are shown, the others counted. */
  'service-cards': record({
    ...frame('service-cards'),
    cards: list(
      record({
        icon: icon().required(MISSING),
        title: words(),
        description: words(),
        features: list(words()).required(MISSING),
        hoverColor: hue(),
        href: href().required(MISSING),
      }),
    ).required(MISSING),
  }),
  'engagement-models': record({
    ...frame('engagement-models'),
    models: list(
      record({
        id: id().required(MISSING),
        icon: icon(),
        title: words(),
        shortDescription: words(),
        description: copy(),
        image: picture,
        technologies: list(words()).required(MISSING),
        benefits: lines(),
        features: lines(),
        pricing: words(),
        timeline: words(),
        hoverColor: hue(),
        link: href().required(MISSING),
      }),
    ).required(MISSING),
  }),
  /** Team models. Price and duration are notes for the writers and never shown. */
  'team-models': record({
    ...frame('team-models'),
    models: list(
      record({
        id: id().required(MISSING),
        icon: icon().required(MISSING),
        name: words(),
        size: words(),
        duration: line(),
        price: line(),
        description: copy(),
        ideal: words(),
        team: lines(),
        features: lines(),
      }),
    ).required(MISSING),
  }),
};

type Kind = keyof typeof sections;

/** A legal text's clauses, from a Markdown file. */
const clause = record({
  id: id().required(MISSING),
  title: words(),
  blocks: list(either(copy(), record({ list: lines() }), isText)).required('has no text'),
});

export type SectionOf<Of extends Section['kind']> = Extract<Section, { kind: Of }>;
export type Section =
  | { [Of in Kind]: InferType<(typeof sections)[Of]> }[Kind]
  | { kind: 'legal'; lastUpdated: string; clauses: InferType<typeof clause>[] };

const kinds = Object.keys(sections) as Kind[];
const ofNoKind = object({ kind: choice(kinds, 'kind of section').required(MISSING) }).typeError(
  'must begin with "kind: "',
);
const section = lazy((value: { kind?: string } | undefined) => {
  const kind = kinds.find((name) => name === value?.kind);
  return (kind ? sections[kind] : ofNoKind) as AnySchema;
}).meta({ anyOf: Object.values(sections) }) as unknown as Schema<Section>;

const hero = record({
  kicker: line().meta({ description: 'Short line above the heading.' }),
  heading: words(),
  lead: copy(),
  actions,
  badges: list(words()).meta({ description: 'Short claims, for example 100% Success Rate.' }),
  stats: list(record({ value: words(), label: words() })),
  drawing: imageName(0, 'drawings/').meta({
    description: 'Name of an SVG in images/drawings/, drawn beside the text.',
  }),
  picture: picture.optional().meta({ description: 'Instead of a drawing: a picture behind the text.' }),
});

/** What every page says of itself, whatever it is written in. */
const head = {
  draft: flag().meta({ description: 'Shown by "npm run dev" only.' }),
  name: words().meta({ description: 'Name in breadcrumbs and menus.' }),
  title: words()
    .min(10, 'must have at least 10 letters')
    .meta({ description: 'Title in tabs and results of a search.' }),
  description: words()
    .min(70, 'must have at least 70 letters, or search engines choose a text of their own')
    .max(160, 'must have at most 160 letters, or search engines cut it'),
  hue: hue(),
};

export const pageFile = record({
  ...head,
  keywords: list(words()),
  serviceType: line().meta({ description: 'Service pages: what search engines call the type of service.' }),
  hero,
  sections: list(section).required(MISSING),
});

/** Front matter and clauses of a legal text. */
export const legalFile = record({
  ...head,
  heading: words(),
  lead: copy(),
  lastUpdated: words(),
  paragraphs: array().max(0, 'must stand below a line that begins with "## "'),
  clauses: list(clause).required('needs clauses, each below a line that begins with "## "'),
});

/** Front matter and text of an open position. */
export const jobFile = record({
  draft: head.draft,
  title: words(),
  department: words(),
  town: words(),
  country: country(),
  type: choice(EMPLOYMENT, 'type of employment').required(MISSING),
  experience: words(),
  postedOn: day().required(MISSING),
  applyBy: day()
    .required(MISSING)
    .test('order', 'must be later than postedOn', (value, { parent }) => {
      const { postedOn } = parent as { postedOn: unknown };
      return typeof value !== 'string' || !isDay(postedOn) || value > postedOn;
    }),
  paragraphs: list(copy()).required('needs a text about the work'),
  clauses: list(clause).required('needs what is asked for, each part below a line that begins with "## "'),
});

/** Values by names that their writers choose. */
const named = <Value>(value: ISchema<Value>) =>
  lazy((all: object | undefined) =>
    record(Object.fromEntries(Object.keys(all ?? {}).map((name) => [name, value as AnySchema]))),
  ).meta({ values: value }) as unknown as Schema<Record<string, Value>>;

export const companyFile = record({
  name: words(),
  legalName: words(),
  host: words().matches(/^https?:\/\/[^/]+$/, 'must be an address such as https://firm.example'),
  blurb: words(),
  copyright: words(),
  incorporated: words(),
  homeCity: words(),
  email: words().email('must be an e-mail address'),
  careersEmail: words().email('must be an e-mail address'),
  phone: words(),
  social: list(
    record({
      network: choice(['linkedin', 'x', 'facebook'], 'network').required(MISSING),
      name: words(),
      href: words(),
    }),
  ).required(MISSING),
  offices: list(
    record({
      name: words(),
      street: list(words()).required(MISSING),
      locality: words(),
      postalCode: words(),
      country: country(),
      phone: words(),
      email: words().email('must be an e-mail address'),
    }),
  ).required(MISSING),
  figures: named(words()),
});

const menuLink = record({
  label: words(),
  href: href().required(MISSING),
  button: flag().meta({ description: 'Drawn as a button.' }),
});
const dropdown = record({
  label: words(),
  description: words(),
  links: list(
    record({ label: words(), href: href().required(MISSING), icon: icon().required(MISSING), description: words() }),
  ).required(MISSING),
});

export const navigationFile = record({
  menu: list(
    either(dropdown, menuLink, (value) => typeof value === 'object' && value !== null && 'links' in value),
  ).required(MISSING),
  groups: named(group),
  footer: list(groupName().required(MISSING)).required(MISSING),
});

export type { IconName };
export type Action = InferType<typeof action>;
export type Stat = InferType<ReturnType<typeof stats>>[number];
export type Picture = InferType<typeof picture>;
export type Hero = InferType<typeof hero>;
export type Feature = SectionOf<'features'>['items'][number];
export type EngagementModel = SectionOf<'engagement-models'>['models'][number];
export type Link = InferType<typeof link>;
export type Dropdown = InferType<typeof dropdown>;
export type Company = Omit<InferType<typeof companyFile>, 'offices'> & {
  /** Who hears of a weakness of the site: the address that RFC 2142 gives every domain. */
  securityEmail: string;
  /** With the code of their country, ISO 3166-1, for search engines. */
  offices: (InferType<typeof companyFile>['offices'][number] & { countryCode: string })[];
};
export type LegalFile = InferType<typeof legalFile>;
export type Navigation = InferType<typeof navigationFile>;

/** An open position. */
export type Job = Omit<InferType<typeof jobFile>, 'draft'> & {
  slug: string;
  /** The file that it is written in, within `content/`. */
  file: string;
  /** ISO 3166-1, for search engines. */
  countryCode: string;
};

/** A page, from whichever file. */
export type Page = Omit<InferType<typeof pageFile>, 'draft'> & {
  /** Canonical path, without a trailing slash. */
  path: string;
  /** The file that it is written in, within `content/`. */
  file: string;
  /** The position that the page is about. */
  job?: Job;
};
