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

/** Kites beside a heading. Coloured by `.kite-1` (lightest cloth) to `.kite-6`, `.kite-line`, `.kite-bow`, `.kite-plan` and `.kite-wind`. */
export const HeroDrawing = ({ paths }: { paths: DrawingPaths }) => (
  <svg className="hero-drawing" viewBox={`0 0 ${paths.size.join(' ')}`} fill="none" aria-hidden="true">
    <path className="kite-wind" d={paths.wind} />
    {paths.plan && <path className="kite-plan" d={paths.plan} />}
    {paths.tones.map((path, index) => path && <path key={index} className={`kite-${index + 1}`} d={path} />)}
    {paths.lines && <path className="kite-line" d={paths.lines} />}
    {paths.bows && <path className="kite-bow" d={paths.bows} />}
  </svg>
);
