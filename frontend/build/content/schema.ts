import { lazy, mixed, object, type AnySchema, type InferType, type ISchema, type Schema } from 'yup';
import { colourNames } from '../colour-token.ts';
import { iconNames, type IconName } from '../icons.ts';
import {
  choice,
  country,
  day,
  flag,
  groupName,
  href,
  imageName,
  isDay,
  list,
  markdown,
  phone,
  plainText,
  serviceOption,
  strictObject,
} from './fields.ts';
import type { Text } from './markdown.ts';
import type { Clause } from './markdown-body.ts';

/** What the files in `content/` may say. Types, checks and the editors' JSON Schema all come from here. */

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

const MISSING = 'is missing';
const NO_ALT = 'is missing: say what the picture shows, or write "" if it only decorates';
const requiredText = () => plainText().required(MISSING);
const requiredMarkdown = () => markdown().required(MISSING);
const hue = () => choice(colourNames('hue'), 'colour').required(MISSING);
const icon = () => choice(iconNames, 'icon');
const lines = () => list(markdown().required(MISSING)).required(MISSING);
const id = () => plainText().matches(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens');

/** A picture of `content/images/`, and what it shows; '' where it only decorates. */
const pictureOf = (image: ReturnType<typeof imageName>) =>
  strictObject({ image: image.required(MISSING), alt: plainText().nonNullable(NO_ALT).defined(NO_ALT) });
const picture = pictureOf(imageName({ minWidth: 1200 }));
/** It is also what a network shows of a shared page, of 1,200 by 630 pixels or higher. */
const banner = pictureOf(imageName({ minWidth: 1200, maxRatio: 1.9 }));

/** One of two schemas, by the value. Yup's own types of `lazy` know one schema only. */
const either = <One, Other>(one: ISchema<One>, other: ISchema<Other>, isOne: (value: unknown) => boolean) =>
  lazy((value: unknown) => (isOne(value) ? one : other) as AnySchema).meta({
    anyOf: [one, other],
  }) as unknown as Schema<One | Other>;
const isText = (value: unknown) => typeof value === 'string';

/** Something to press that leads somewhere. */
const pressedLink = strictObject({
  label: requiredText(),
  about: plainText().meta({ description: 'What the label leaves open, said to those who hear it out of its place.' }),
  href: href().required('is missing: where does it lead? (or "opens: application" for the form)'),
  newTab: flag(),
});
/** Something to press that opens the application form. */
const opener = strictObject({ label: requiredText(), opens: choice(['application'], 'form').required(MISSING) });
const action = either(opener, pressedLink, (value) => typeof value === 'object' && value !== null && 'opens' in value);

const actions = list(action);
const link = strictObject({ label: requiredText(), href: href().required(MISSING) });
const group = strictObject({ title: requiredText(), links: list(link).required(MISSING) });
const stats = () => list(strictObject({ value: requiredText(), label: requiredText() })).required(MISSING);
const facts = () =>
  list(
    strictObject({
      label: requiredText(),
      value: requiredText(),
      note: plainText(),
      href: href().meta({ description: 'Where a fact that is set large leads.' }),
    }),
  );
const drawing = strictObject({
  figure: imageName({ folder: 'figures/' }).required(MISSING),
  alt: requiredText().meta({ description: 'What the drawing shows, in a line.' }),
});

/** A few points under a heading of their own. */
const points = strictObject({
  heading: requiredText(),
  items: list(strictObject({ title: requiredText(), description: requiredMarkdown() })).required(MISSING),
});

const ofKind = <Kind extends string>(kind: Kind) => choice([kind], 'kind of section').required(MISSING);
const frame = <Kind extends string>(kind: Kind) => ({
  kind: ofKind(kind),
  id: id().meta({ description: 'Anchor that links may lead to.' }),
  heading: requiredText(),
  intro: markdown(),
  actions,
  quiet: flag().meta({ description: 'Set small, for who looks for it: what most visitors pass by.' }),
});

/** The kinds of section, each drawn by one component in `src/components/blocks/` or `src/features/`. */
export const sections = {
  /** Large figures in a row. */
  stats: strictObject({ ...frame('stats'), stats: stats() }),
  /**
   * Points of equal rank. `shape` says how they relate: cards stand alone; rows are arguments read one after another; columns
   * are short parallel lists; split is few big statements beside the heading; tags are names; metrics lead with a figure.
   */
  features: strictObject({
    ...frame('features'),
    shape: choice(SHAPES, 'shape').required(MISSING),
    picture: picture.optional().meta({ description: 'Under the heading of a split.' }),
    items: list(
      strictObject({
        icon: icon(),
        title: requiredText(),
        description: markdown(),
        bullets: list(requiredMarkdown()),
        label: plainText().meta({ description: 'Badge such as "Most Popular".' }),
        metric: plainText().meta({ description: 'Key figure, for example 99.9%.' }),
        metricLabel: plainText().meta({ description: 'What the key figure counts.' }),
        href: href(),
      }),
    ).required(MISSING),
  }),
  /** Steps joined by a line, with an optional closing summary. */
  process: strictObject({
    ...frame('process'),
    steps: list(
      strictObject({
        step: requiredText(),
        title: requiredText(),
        description: requiredMarkdown(),
        duration: plainText(),
        deliverables: list(requiredMarkdown()),
      }),
    ).required(MISSING),
    summary: markdown(),
    drawing: drawing.optional(),
  }),
  /** Technologies, shown in groups by their category. */
  stack: strictObject({
    ...frame('stack'),
    technologies: list(strictObject({ name: requiredText(), category: requiredText() })).required(MISSING),
  }),
  /** A few facts that read at a glance, then what they depend on. */
  pricing: strictObject({ ...frame('pricing'), facts: facts().required(MISSING), notes: list(requiredMarkdown()) }),
  /** Paragraphs, with an optional picture or a short list of facts under their heading. */
  prose: strictObject({
    ...frame('prose'),
    paragraphs: lines(),
    picture: picture.optional(),
    facts: facts(),
    points: points.optional().meta({ description: 'What follows from the paragraphs, beside them.' }),
  }),
  /** A story told in parts, for example situation, work, result. */
  story: strictObject({
    ...frame('story'),
    drawing: drawing.optional(),
    parts: list(strictObject({ title: requiredText(), paragraphs: lines() })).required(MISSING),
  }),
  /** A drawing that explains, and the same in words. */
  figure: strictObject({
    ...frame('figure'),
    drawing,
    caption: requiredMarkdown(),
    words: list(requiredMarkdown())
      .required(MISSING)
      .meta({ description: 'All that the drawing says, for those who do not see it.' }),
    ordered: flag().meta({ description: 'The words are steps in their order.' }),
    facts: facts(),
  }),
  /** Offers side by side: a column each, what they differ in row by row. */
  comparison: strictObject({
    ...frame('comparison'),
    drawing: drawing.optional(),
    columns: lines(),
    rows: list(strictObject({ name: requiredText(), cells: lines() })).required(MISSING),
  }).test(
    'cells',
    'has a row with more or fewer cells than there are columns',
    (value) => !value?.rows || value.rows.every(({ cells }) => cells?.length === value.columns?.length),
  ),
  faq: strictObject({
    ...frame('faq'),
    items: list(strictObject({ question: requiredText(), answer: requiredMarkdown() })).required(MISSING),
  }),
  /** Closing call to action. */
  cta: strictObject({
    ...frame('cta'),
    actions: actions.required(MISSING),
    next: list(strictObject({ when: requiredText(), what: requiredMarkdown() })).meta({
      description: 'What happens after it was pressed: three lines, each with its time.',
    }),
  }),
  /** The offices of company.yaml. */
  offices: strictObject(frame('offices')),
  /** The form, and beside it on a wide screen what those who write can count on. */
  'contact-form': strictObject({ ...frame('contact-form'), promises: points.optional() }),
  /** The positions of jobs/, and what to do when none of them fits. */
  jobs: strictObject({
    ...frame('jobs'),
    otherwise: strictObject({
      heading: requiredText(),
      text: requiredMarkdown(),
      actions: actions.required(MISSING),
    }).optional(),
  }),
  /** The dialog with the application form, once on each page that opens it. */
  application: strictObject({ kind: ofKind('application') }),
  /** Links in named groups: groups of navigation.yaml by their names, "menu" for all of the menu's, "others" for what no group has, or groups of the page's own. */
  'link-groups': strictObject({
    ...frame('link-groups'),
    groups: list(either(groupName().required(MISSING), group, isText)).required(MISSING),
  }),
  /** A grid of services; the first two features are shown, the others counted. */
  'service-cards': strictObject({
    ...frame('service-cards'),
    cards: list(
      strictObject({
        icon: icon().required(MISSING),
        title: requiredText(),
        description: requiredText(),
        features: list(requiredText())
          .min(3, 'needs three items or more: two are shown, the others counted')
          .required(MISSING),
        hue: hue(),
        href: href().required(MISSING),
      }),
    ).required(MISSING),
  }),
  'engagement-models': strictObject({
    ...frame('engagement-models'),
    models: list(
      strictObject({
        id: id().required(MISSING),
        icon: icon(),
        title: requiredText(),
        shortDescription: requiredText(),
        description: requiredMarkdown(),
        image: picture,
        technologies: list(requiredText()).required(MISSING),
        benefits: lines(),
        features: lines(),
        pricing: requiredText(),
        timeline: requiredText(),
        hue: hue(),
        link: href().required(MISSING),
      }),
    ).required(MISSING),
  }),
  /** Team models. Price and duration are notes for the writers and never shown. */
  'team-models': strictObject({
    ...frame('team-models'),
    models: list(
      strictObject({
        id: id().required(MISSING),
        icon: icon().required(MISSING),
        name: requiredText(),
        size: requiredText(),
        duration: plainText(),
        price: plainText(),
        description: requiredMarkdown(),
        ideal: requiredText(),
        team: lines(),
        features: lines(),
      }),
    ).required(MISSING),
  }),
};

type Kind = keyof typeof sections;

export type SectionOf<Of extends Section['kind']> = Extract<Section, { kind: Of }>;
export type Section =
  | { [Of in Kind]: InferType<(typeof sections)[Of]> }[Kind]
  | { kind: 'legal'; lastUpdated: string; clauses: readonly Clause[] };

const kinds = Object.keys(sections) as Kind[];
const ofNoKind = object({ kind: choice(kinds, 'kind of section').required(MISSING) }).typeError(
  'must begin with "kind: "',
);
const section = lazy((value: { kind?: string } | undefined) => {
  const kind = kinds.find((name) => name === value?.kind);
  return (kind ? sections[kind] : ofNoKind) as AnySchema;
}).meta({ anyOf: Object.values(sections) }) as unknown as Schema<Section>;

const hero = strictObject({
  kicker: plainText().meta({ description: 'Short line above the heading.' }),
  heading: requiredText(),
  lead: requiredMarkdown(),
  actions,
  badges: list(requiredText()).meta({ description: 'Short claims, for example 100% Success Rate.' }),
  stats: list(strictObject({ value: requiredText(), label: requiredText() })),
  drawing: imageName({ folder: 'drawings/' }).meta({
    description: 'Name of an SVG in images/drawings/, drawn beside the text.',
  }),
  short: flag().meta({ description: 'Half as high, for a page whose visitors come for what is below.' }),
  picture: banner.optional().meta({ description: 'Instead of a drawing: a picture behind the text.' }),
});

/** What every page says of itself, whatever it is written in. */
const head = {
  draft: flag().meta({ description: 'Shown by "npm run dev" only.' }),
  name: requiredText().meta({ description: 'Name in breadcrumbs and menus.' }),
  title: requiredText()
    .min(10, 'must have at least 10 letters')
    .meta({ description: 'Title in tabs and results of a search.' }),
  description: requiredText()
    .min(70, 'must have at least 70 letters, or search engines choose a text of their own')
    .max(160, 'must have at most 160 letters, or search engines cut it'),
  hue: hue(),
};

export const pageFile = strictObject({
  ...head,
  keywords: list(requiredText()),
  serviceOption: serviceOption().meta({
    description: "Service pages: the enquiry form's service that is chosen for who comes from here.",
  }),
  serviceType: plainText().meta({ description: 'Service pages: what search engines call the type of service.' }),
  hero,
  sections: list(section).required(MISSING),
});

/** What stands below the front matter; checked where it is read. */
const body = {
  paragraphs: mixed<readonly Text[]>().required(),
  clauses: mixed<readonly Clause[]>().required(),
};

/** Front matter and clauses of a legal text. */
export const legalFile = strictObject({
  ...head,
  heading: requiredText(),
  lead: requiredMarkdown(),
  lastUpdated: requiredText(),
  ...body,
});

/** Front matter and text of an open position. */
export const jobFile = strictObject({
  draft: head.draft,
  title: requiredText(),
  department: requiredText(),
  town: requiredText(),
  country: country(),
  type: choice(EMPLOYMENT, 'type of employment').required(MISSING),
  experience: requiredText(),
  postedOn: day().required(MISSING),
  applyBy: day()
    .required(MISSING)
    .test('order', 'must be later than postedOn', (value, { parent }) => {
      const { postedOn } = parent as { postedOn: unknown };
      return typeof value !== 'string' || !isDay(postedOn) || value > postedOn;
    }),
  ...body,
});

/** Values by names that their writers choose. */
const named = <Value>(value: ISchema<Value>) =>
  lazy((all: object | undefined) =>
    strictObject(Object.fromEntries(Object.keys(all ?? {}).map((name) => [name, value as AnySchema]))),
  ).meta({ values: value }) as unknown as Schema<Record<string, Value>>;

export const companyFile = strictObject({
  name: requiredText(),
  legalName: requiredText(),
  host: requiredText().matches(/^https?:\/\/[^/]+$/, 'must be an address such as https://firm.example'),
  blurb: requiredText(),
  copyright: requiredText(),
  incorporated: requiredText(),
  homeCity: requiredText(),
  email: requiredText().email('must be an e-mail address'),
  careersEmail: requiredText().email('must be an e-mail address'),
  phone: phone().required(MISSING),
  social: list(
    strictObject({
      network: choice(['linkedin', 'x', 'facebook'], 'network').required(MISSING),
      name: requiredText(),
      href: href().required(MISSING),
    }),
  ).required(MISSING),
  offices: list(
    strictObject({
      name: requiredText(),
      street: list(requiredText()).required(MISSING),
      locality: requiredText(),
      postalCode: requiredText(),
      country: country(),
      phone: phone().required(MISSING),
      email: requiredText().email('must be an e-mail address'),
    }),
  ).required(MISSING),
  figures: named(requiredText()),
});

const menuLink = strictObject({
  label: requiredText(),
  href: href().required(MISSING),
  button: flag().meta({ description: 'Drawn as a button.' }),
});
const dropdown = strictObject({
  label: requiredText(),
  description: requiredText(),
  links: list(
    strictObject({
      label: requiredText(),
      href: href().required(MISSING),
      icon: icon().required(MISSING),
      description: requiredText(),
    }),
  ).required(MISSING),
});

export const navigationFile = strictObject({
  menu: list(
    either(dropdown, menuLink, (value) => typeof value === 'object' && value !== null && 'links' in value),
  ).required(MISSING),
  overview: link
    .optional()
    .meta({ description: 'The last entry of each dropdown, and one of its own in the menu of small screens.' }),
  groups: named(group),
  footer: list(groupName().required(MISSING)).required(MISSING),
});

/** What a file may say, by its name. */
export function schemaOf(file: string): AnySchema {
  const byFolder: Readonly<Record<string, AnySchema>> = {
    'company.yaml': companyFile,
    'navigation.yaml': navigationFile,
    pages: pageFile,
    jobs: jobFile,
    legal: legalFile,
  };
  return byFolder[file.split('/')[0] ?? ''] ?? pageFile;
}

export type { Clause, IconName, Text };
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
