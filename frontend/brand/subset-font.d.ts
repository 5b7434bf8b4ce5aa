declare module 'subset-font' {
  /** One value pins the axis, a range keeps it variable within. */
  export type Axis = number | { readonly min: number; readonly max: number; readonly default?: number };

  export interface SubsetOptions {
    readonly targetFormat: 'sfnt' | 'woff' | 'woff2';
    readonly variationAxes?: Readonly<Record<string, Axis>>;
    readonly keepFeatures?: readonly string[];
    readonly noHinting?: boolean;
    readonly preserveNameIds?: readonly number[];
  }

  export default function subsetFont(font: Buffer, text: string, options: SubsetOptions): Promise<Buffer>;
}
