/** Path data that `npm run brand` writes, a path a class. */
export interface DrawingPaths {
  readonly size: readonly [width: number, height: number];
  /** Cloth, lightest first. */
  readonly tones: readonly string[];
  readonly lines: string;
  readonly bows: string;
  readonly wind: string;
  readonly plan: string;
}

const CLOTH = ['fill-kite-1', 'fill-kite-2', 'fill-kite-3', 'fill-kite-4', 'fill-kite-5', 'fill-kite-6'];

/** Kites beside a heading. */
export const HeroDrawing = ({ paths }: { paths: DrawingPaths }) => (
  <svg
    className="mx-auto block w-full max-w-144 overflow-visible forced-color-adjust-none md:col-start-2 md:row-span-2 md:row-start-1 md:self-start"
    viewBox={`0 0 ${paths.size.join(' ')}`}
    fill="none"
    aria-hidden="true"
  >
    <path className="stroke-line" d={paths.wind} />
    {paths.plan && <path className="stroke-kite-4 opacity-60" strokeDasharray="4 5" d={paths.plan} />}
    {paths.tones.map((path, index) => path && <path key={index} className={CLOTH[index]} d={path} />)}
    {paths.lines && (
      <path className="stroke-ink stroke-2" strokeLinecap="round" strokeLinejoin="round" d={paths.lines} />
    )}
    {paths.bows && <path className="fill-kite-4" d={paths.bows} />}
  </svg>
);
