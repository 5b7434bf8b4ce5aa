import { lazy, mixed, object, type AnySchema, type InferType, type ISchema, type ObjectShape, type Schema } from 'yup';
import type { Form } from '../../../form-service/src/contract/define-form.ts';
import { OPEN_FORMS } from '../../../form-service/src/contract/forms.ts';
import KEYS from '../../../form-service/src/contract/wording-keys.json' with { type: 'json' };
import { iconNames, type IconName } from '../icons.ts';
import { KITES } from '../../src/components/ui/kites.ts';
import {
  checked,
  choice,
  country,
  day,
  flag,
  groupName,
  href,
  hueName,
  imageName,
  isDay,
  language,
  list,
  markdown,
  phone,
  plainText,
  serviceOption,
  strictObject,
  token,
  webAddress,
} from './fields.ts';
import type { Text } from './markdown.ts';
import type { Block, Body, Part } from './markdown-body.ts';

/** Schema of the files in `content/`, from which types and checks follow. docs/writing.md explains more of the fields. */

const SHAPES = ['ledger', 'rows', 'columns', 'split', 'tags', 'metrics'] as const;
const STEP_SHAPES = ['line', 'rows', 'paragraph'] as const;
const READINESS = ['now', 'partly', 'later'] as const;

const namesIn = <Names extends object>(names: Names) => Object.keys(names) as (keyof Names & string)[];

const MISSING = 'is missing';
const NO_ALT = 'is missing: say what the picture shows, or write "" if it only decorates';
const requiredText = () => plainText().required(MISSING);
const requiredMarkdown = () => markdown().required(MISSING);
const hue = () => hueName().required(MISSING);
const icon = () => choice(iconNames, 'icon');
const items = <Item>(item: ISchema<Item>) => list(item).required(MISSING);
const entries = <Fields extends ObjectShape>(fields: Fields) => items(strictObject(fields));
const lines = () => items(requiredMarkdown());
const address = () => href().required(MISSING);
const id = () => token().matches(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens');

const alt = () => plainText().max(250, 'must have at most 250 letters: say the rest in the text');

/** A picture of `content/images/` with its alternative text, which is '' for a decorative one. */
const pictureOf = (image: ReturnType<typeof imageName>) =>
  strictObject({ image: image.required(MISSING), alt: alt().nonNullable(NO_ALT).defined(NO_ALT) });
const picture = pictureOf(imageName({ minWidth: 1200 }));
/** Also the page's social card, which needs 1,200 by 630 pixels or more. */
const banner = pictureOf(imageName({ minWidth: 1200, maxRatio: 1.9 }));

/** One of two schemas, by the value. Yup's own types of `lazy` know one schema only. */
const either = <One, Other>(one: ISchema<One>, other: ISchema<Other>, isOne: (value: unknown) => boolean) =>
  lazy((value: unknown) => (isOne(value) ? one : other) as AnySchema) as unknown as Schema<One | Other>;

const formsIn = (place: Form['place']) => OPEN_FORMS.filter((form) => form.place === place).map(({ kind }) => kind);

/** Link that looks like a button. One to the anchor of the application form opens it. */
const action = strictObject({
  label: requiredText(),
  /** Rest of the label, for screen readers only. */
  about: plainText(),
  href: href().required('is missing: where does it lead? ("#application" opens the form of positions)'),
  newTab: flag(),
  phone: flag().meta({ description: 'Shows it only on a phone, on which the page is longer.' }),
});

const actions = list(action);
const link = strictObject({ label: requiredText(), href: address() });
const group = strictObject({ title: requiredText(), links: items(link) });
const facts = () =>
  list(
    strictObject({
      label: requiredText(),
      /** Small words before a large value, such as "from". */
      before: plainText(),
      value: requiredText(),
      note: plainText(),
      href: href(),
    }),
  );
const drawing = strictObject({
  figure: imageName({ folder: 'figures/' }).required(MISSING),
  alt: alt().required(MISSING),
  /** Its upper left is empty: half as wide as it, and 15 % of its width high. */
  climbs: flag(),
});

/** A few points with their own heading. */
const points = strictObject({
  heading: requiredText(),
  items: entries({ title: requiredText(), description: requiredMarkdown() }),
});

/** Sheet of paper as a client gets it. The page adds the word "specimen" of wording.yaml to its heading. */
const specimen = strictObject({
  heading: requiredText(),
  lines: entries({
    label: requiredText(),
    text: requiredMarkdown(),
    yours: flag(),
  }),
});

/** Fields of every section. */
const frame = <Kind extends string>(kind: Kind) => ({
  kind: choice([kind], 'kind of section').required(MISSING),
  id: id(),
  heading: requiredText(),
  intro: markdown(),
  actions,
  quiet: flag(),
  half: flag(),
  /** Has a sky, as each section with a drawing has one. */
  tint: flag(),
});

/** The kinds of section, each drawn by one component in `src/components/blocks/` or `src/features/`. */
export const sections = {
  /** Facts that read at a glance, in a panel above what they depend on, or if quiet, as large figures in a row. */
  facts: strictObject({ ...frame('facts'), facts: facts().required(MISSING), notes: list(requiredMarkdown()) }),
  /**
   * Points of equal rank. `shape` is their relation: a ledger lists offers; rows are successive arguments; columns are
   * short parallel lists; split is a few big statements next to the heading; tags are names; metrics lead with a figure.
   */
  features: strictObject({
    ...frame('features'),
    shape: choice(SHAPES, 'shape').required(MISSING),
    /** Under the heading of a split. */
    picture: picture.optional(),
    drawing: drawing.optional(),
    items: entries({
      icon: icon(),
      title: requiredText(),
      description: markdown(),
      bullets: list(requiredMarkdown()),
      /** Badge such as "Most Popular". */
      label: plainText(),
      /** In a ledger: draws a kite next to the label that is filled, half filled or empty. */
      readiness: choice(READINESS, 'readiness'),
      /** Key figure, such as 99.9%, and what it counts. */
      metric: plainText(),
      metricLabel: plainText(),
      href: href(),
    }),
  }),
  /** Steps in their order, with an optional closing summary. */
  process: strictObject({
    ...frame('process'),
    shape: choice(STEP_SHAPES, 'shape'),
    steps: entries({
      step: requiredText(),
      title: requiredText(),
      description: requiredMarkdown(),
      duration: plainText(),
      deliverables: list(requiredMarkdown()),
      yours: flag(),
    }),
    summary: markdown(),
    drawing: drawing.optional(),
  }).test(
    'paragraph',
    'has deliverables, for which a paragraph has no place: choose another shape',
    (value) => value?.shape !== 'paragraph' || !value.steps?.some(({ deliverables }) => deliverables),
  ),
  /** Technologies, shown in groups by their category. */
  stack: strictObject({
    ...frame('stack'),
    technologies: entries({ name: requiredText(), category: requiredText() }),
  }),
  /** Paragraphs, with an optional picture, or a drawing next to their heading. */
  prose: strictObject({
    ...frame('prose'),
    statement: markdown(),
    large: flag(),
    specimen: specimen.optional(),
    paragraphs: lines(),
    picture: picture.optional(),
    drawing: drawing.optional(),
    /** Names of what the drawing shows, in a row below it. */
    facts: facts(),
    points: points.optional(),
  }),
  /** A drawing that explains, and the same in words. */
  figure: strictObject({
    ...frame('figure'),
    drawing,
    caption: requiredMarkdown(),
    /** Text alternative: everything that the drawing says, as a list, or as steps. */
    words: lines(),
    ordered: flag(),
  }),
  /** Comparison of offers: a column for each, a row for each difference, and a choice between them. */
  comparison: strictObject({
    ...frame('comparison'),
    /** Heading of the column of names. */
    corner: requiredText(),
    columns: lines(),
    rows: entries({ name: requiredText(), cells: lines() }),
    /** A kite of four parts for each column, from the upper left; red parts are the reader's. */
    choice: strictObject({
      parts: items(requiredText()),
      options: entries({
        label: requiredText(),
        parts: items(choice(['you', 'both', 'we'], 'side').required(MISSING)),
      }),
    }),
  }),
  faq: strictObject({
    ...frame('faq'),
    items: entries({ question: requiredText(), answer: requiredMarkdown() }),
  }),
  /** Closing call to action. */
  cta: strictObject({
    ...frame('cta'),
    actions: actions.required(MISSING),
    next: list(strictObject({ when: requiredText(), what: requiredMarkdown() })),
  }),
  /** The offices of company.yaml. */
  offices: strictObject(frame('offices')),
  /** A form, with promises below it. */
  form: strictObject({
    ...frame('form'),
    form: choice(formsIn('section'), 'form').required(MISSING),
    promises: points.optional(),
  }),
  /** The positions of jobs/, what to do when none of them fits, and the form to apply. */
  jobs: strictObject({
    ...frame('jobs'),
    otherwise: strictObject({
      heading: requiredText(),
      text: requiredMarkdown(),
      actions: actions.required(MISSING),
    }).optional(),
  }),
  /** A position, in pages/job.yaml only: first paragraphs and facts, then the parts side by side, and the form to apply. */
  job: strictObject({ ...frame('job'), facts: facts().required(MISSING), parts: requiredText() }),
  /** Links in groups: names of groups in navigation.yaml, "menu", or "others" (pages without a group). */
  'link-groups': strictObject({ ...frame('link-groups'), groups: items(groupName().required(MISSING)) }),
  /** A grid of services; the first two features are shown, the others counted. */
  'service-cards': strictObject({
    ...frame('service-cards'),
    cards: entries({
      icon: icon().required(MISSING),
      title: requiredText(),
      description: requiredText(),
      features: list(requiredText())
        .min(3, 'needs three items or more: two are shown, the others counted')
        .required(MISSING),
      hue: hue(),
      href: address(),
    }),
  }),
  'engagement-models': strictObject({
    ...frame('engagement-models'),
    models: entries({
      id: id().required(MISSING),
      icon: icon(),
      title: requiredText(),
      shortDescription: requiredText(),
      description: requiredMarkdown(),
      image: picture,
      technologies: items(requiredText()),
      benefits: lines(),
      pricing: requiredText(),
      timeline: requiredText(),
      hue: hue(),
      link: address(),
    }),
  }),
  /** Team models. Icon, price and duration are notes for the writers and never shown. */
  'team-models': strictObject({
    ...frame('team-models'),
    models: entries({
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
  }),
};

type Kind = keyof typeof sections;

export type SectionOf<Of extends Section['kind']> = Extract<Section, { kind: Of }>;
export type Section =
  | { [Of in Exclude<Kind, 'job'>]: InferType<(typeof sections)[Of]> }[Exclude<Kind, 'job'>]
  | (InferType<(typeof sections)['job']> & { job: Job })
  | { kind: 'legal'; lastUpdated: string; body: Body };

const kinds = namesIn(sections);
const ofNoKind = object({ kind: choice(kinds, 'kind of section').required(MISSING) }).typeError(
  'must begin with "kind: "',
);
const section = lazy((value: { kind?: string } | undefined) => {
  const kind = kinds.find((name) => name === value?.kind);
  return (kind ? sections[kind] : ofNoKind) as AnySchema;
}) as unknown as Schema<Section>;

const kite = strictObject({
  kind: choice(namesIn(KITES), 'kind of kite').required(MISSING),
  name: plainText(),
  reason: plainText(),
});

const hero = strictObject({
  /** Short line above the heading. */
  kicker: plainText(),
  heading: requiredText(),
  lead: requiredMarkdown(),
  actions,
  /** Short claims, such as "100% Success Rate". */
  badges: list(requiredText()),
  stats: list(strictObject({ value: requiredText(), label: requiredText() })),
  /** Next to the text. */
  drawing: imageName({ folder: 'drawings/' }),
  /** Half height, for pages whose visitors come for the content below. */
  short: flag(),
  /** Instead of a drawing: a picture behind the text. */
  picture: banner.optional(),
});

/** Fields of every page, in YAML or Markdown. */
const head = {
  draft: flag(),
  /** Name in breadcrumbs and menus; the title is that of tabs and search results. */
  name: requiredText(),
  title: requiredText().min(10, 'must have at least 10 letters'),
  description: requiredText()
    .min(70, 'must have at least 70 letters, or search engines choose a text of their own')
    .max(160, 'must have at most 160 letters, or search engines cut it'),
  hue: hue(),
};

export const pageFile = strictObject({
  ...head,
  keywords: list(requiredText()),
  serviceOption: serviceOption(),
  kite: kite.optional(),
  hero,
  sections: items(section),
});

/** The page of a service, which search engines and the enquiry form need to know more about. */
export const servicePageFile = pageFile.shape({
  serviceOption: serviceOption().required('is missing: which service of the enquiry form is meant here?'),
  keywords: list(requiredText()).min(3, 'needs three items or more').required('is missing: the words of a search'),
});

/** The Markdown below the front matter, which `readBody` checks. */
const body = mixed<Body>().required();

/** Front matter and text of a legal page. */
export const legalFile = strictObject({
  ...head,
  heading: requiredText(),
  lead: requiredMarkdown(),
  lastUpdated: requiredText(),
  body,
});

const amount = () =>
  token().matches(/^[1-9]\d*(?:\.\d\d)?$/, 'must be a number without separators, such as 60000 or 18.50');
const salary = strictObject({
  currency: choice(Intl.supportedValuesOf('currency'), 'currency such as EUR').required(MISSING),
  min: amount().required(MISSING),
  max: amount().test(
    'range',
    'must be more than min: delete it if there is only one amount',
    (max, { parent }) => !max || !(Number(max) <= Number((parent as { min: unknown }).min)),
  ),
  unit: choice(namesIn(KEYS.salaryUnits), 'unit').required(MISSING),
});

/** Front matter and text of an open position. */
export const jobFile = strictObject({
  draft: head.draft,
  title: requiredText(),
  department: requiredText(),
  remote: flag(),
  town: plainText().when('remote', ([remote], town) =>
    remote ? town.max(0, 'stands next to "remote: true": delete one of the two') : town.required(MISSING),
  ),
  country: country().required(MISSING),
  type: choice(namesIn(KEYS.employment), 'type of employment').required(MISSING),
  experience: requiredText(),
  salary: salary.optional(),
  postedOn: day().required(MISSING),
  applyBy: day()
    .required(MISSING)
    .test('order', 'must be later than postedOn', (value, { parent }) => {
      const { postedOn } = parent as { postedOn: unknown };
      return typeof value !== 'string' || !isDay(postedOn) || value > postedOn;
    }),
  body,
});

/** Map whose keys the writers choose. */
const named = <Value>(value: ISchema<Value>) =>
  lazy((all: object | undefined) =>
    strictObject(Object.fromEntries(Object.keys(all ?? {}).map((name) => [name, value as AnySchema]))),
  ) as unknown as Schema<Record<string, Value>>;

export const companyFile = strictObject({
  /** Of all texts, such as de-DE; en-GB if it is not named. */
  language: language(),
  name: requiredText(),
  legalName: requiredText(),
  host: checked(
    'must be an address such as https://firm.example',
    (it) => /^https?:\/\/[^\s/?#]+$/.test(it) && URL.canParse(it),
  ).required(MISSING),
  blurb: requiredText(),
  copyright: requiredText(),
  incorporated: token()
    .required(MISSING)
    .matches(/^\d{4}(?:-\d\d-\d\d)?$/, 'must be a year such as 2014')
    .test('past', 'must not be still to come', (it) => Number(it?.slice(0, 4)) <= new Date().getFullYear()),
  homeCity: requiredText(),
  email: requiredText().email('must be an e-mail address'),
  careersEmail: requiredText().email('must be an e-mail address'),
  phone: phone().required(MISSING),
  social: list(
    strictObject({
      name: requiredText(),
      href: webAddress().required(MISSING),
    }),
  ),
  offices: entries({
    name: requiredText(),
    street: items(requiredText()),
    locality: requiredText(),
    postalCode: requiredText(),
    country: country().required(MISSING),
    phone: phone().required(MISSING),
    email: requiredText().email('must be an e-mail address'),
  }),
  figures: named(requiredText()),
});

const colour = () =>
  token()
    .required('is missing: a colour in quotes, such as "#0b6fb3"')
    .matches(/^#(?:[0-9a-f]{3}){1,2}$/i, 'must be a colour in quotes, such as "#0b6fb3"');
const bothThemes = () => strictObject({ light: colour(), dark: colour() });

const ROLES = [
  ...(['paper', 'surface', 'field', 'ink', 'muted', 'line', 'edge', 'success', 'error', 'onHue'] as const),
  ...(['signal', 'signalStrong', 'onSignal', 'night', 'nightDeep', 'link', 'caution', 'cautionEdge'] as const),
];
/** Text on grounds that are dark in both themes. */
const ROLES_ON_DARK = ['onNight', 'onNightMuted', 'onPictureMuted'] as const;

const ofEach = <Role extends string, Field>(roles: readonly Role[], field: () => Field) =>
  Object.fromEntries(roles.map((role) => [role, field()])) as Record<Role, Field>;

export const brandFile = strictObject({
  motif: choice(['kite', 'none'], 'motif').required(MISSING),
  font: requiredText(),
  fontWidth: plainText().matches(/^\d+(?:\.\d+)?%$/, 'must be a percentage such as 98.5%'),
  radius: requiredText().matches(/^\d+(?:\.\d+)?px$/, 'must be a number of pixels such as 3px'),
  colours: strictObject({ ...ofEach(ROLES, bothThemes), ...ofEach(ROLES_ON_DARK, colour) }),
  cloth: list(bothThemes()).length(6, 'needs six colours').required(MISSING),
  hues: named(strictObject({ light: colour(), dark: colour(), ground: colour() })),
});

const menuLink = strictObject({
  label: requiredText(),
  href: address(),
  button: flag(),
});
const dropdown = strictObject({
  label: requiredText(),
  description: requiredText(),
  links: entries({
    label: requiredText(),
    href: address(),
    icon: icon().required(MISSING),
    description: requiredText(),
  }),
});

export const navigationFile = strictObject({
  menu: items(either(dropdown, menuLink, (value) => typeof value === 'object' && value !== null && 'links' in value)),
  /** The last entry of each dropdown, and one of its own in the menu of small screens. */
  overview: link.optional(),
  groups: named(group),
  footer: items(groupName().required(MISSING)),
});

export type { Block, Body, IconName, Part, Text };
export type Action = InferType<typeof action>;
export type Points = InferType<typeof points>;
export type Fact = NonNullable<InferType<ReturnType<typeof facts>>>[number];
export type Specimen = InferType<typeof specimen>;
export type Picture = InferType<typeof picture>;
export type Hero = InferType<typeof hero>;
export type Feature = SectionOf<'features'>['items'][number];
export type EngagementModel = SectionOf<'engagement-models'>['models'][number];
export type Link = InferType<typeof link>;
export type Dropdown = InferType<typeof dropdown>;
export type BrandFile = InferType<typeof brandFile>;
export type CompanyFile = InferType<typeof companyFile>;

/** An open position. */
export type Job = Omit<InferType<typeof jobFile>, 'draft'> & {
  slug: string;
  /** The file that it is written in, within `content/`. */
  file: string;
  /** ISO 3166-1, for search engines. */
  countryCode: string;
  /** Town and country, or that the work is remote. */
  location: string;
  /** Type of employment in words. */
  employment: string;
  /** Salary in words, with its currency and unit. */
  salaryText: string | undefined;
};

/** A page, from YAML or Markdown. */
export type Page = Omit<InferType<typeof pageFile>, 'draft'> & {
  /** Canonical path, without a trailing slash. */
  path: string;
  /** The file that it is written in, within `content/`. */
  file: string;
  /** The position that the page is about. */
  job?: Job;
};
