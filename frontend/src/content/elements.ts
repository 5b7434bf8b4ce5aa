/** What the content of every page and section is made of. Copy is strict data: no markup, no classes. */

/** A list of exactly N items: one too many or too few does not compile. Use with `satisfies`. */
export type Exactly<N extends number, Item, Built extends readonly Item[] = readonly []> = Built['length'] extends N
  ? Built
  : Exactly<N, Item, readonly [...Built, Item]>;

/** A sentence or more. `[label](href)` makes a link; nothing else is markup. */
export type Text = string;

/** Accent of a page or card: the site's own two supports, or one of the specification's eight (spec 3, "hoverColor"). */
export type Hue =
  | 'sky'
  | 'teal'
  | 'amber'
  | 'purple-600'
  | 'blue-600'
  | 'green-600'
  | 'indigo-600'
  | 'cyan-600'
  | 'orange-600'
  | 'pink-600'
  | 'red-600';

/** Something to press. `href` is a path of this site, `#anchor`, `mailto:` or `tel:`. */
export type Action =
  | {
      readonly label: string;
      /** What the label leaves open, said to those who hear it out of its place. */
      readonly about?: string;
      readonly href: string;
      readonly newTab?: true;
    }
  /** Opens the application form (spec 2.7). */
  | { readonly label: string; readonly opens: 'application' };

export interface Stat {
  /** As it is shown, for example "50+". */
  readonly value: string;
  readonly label: string;
}

/** A picture of `content/images`; `alt` says what it shows, '' when it only decorates. */
export interface Picture {
  readonly key: string;
  readonly alt: string;
}

export interface SectionBase {
  /** Anchor, where the specification or a link needs one. */
  readonly id?: string;
  readonly heading: string;
  readonly intro?: Text;
  readonly actions?: readonly Action[];
}
