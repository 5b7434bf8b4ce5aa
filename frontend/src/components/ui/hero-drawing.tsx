import type { SVGProps } from 'react';
import images from 'virtual:images';

export interface HeroDrawingProps {
  /**
   * Name of an SVG in `content/images/drawings`. Its classes colour it with the page; its own colours are for its
   * editors.
   */
  readonly name: string;
  readonly className: string;
}

/** The string, and the place of its knot. */
const STRING = /(<g transform="[^"]+">)(<path data-string[^>]+>)/;

/** A kite of a drawing, with the place that it turns about. */
const KITE =
  /<g transform="translate\((\S+) (\S+)\)"><g data-kite="(\w*)">((?:(?!<\/g><\/g><\/g>(?!<\/g>)).)*<\/g>)<\/g><\/g>/g;

/**
 * Drawing next to a heading, inlined into the page. Its string is behind it, in a window that is larger than the string
 * can become, so that the boot can draw it (boot/hold-string.ts). Each kite is a drawing of its own above the others,
 * because to turn a shape within a drawing Chromium lays it out in every frame.
 */
export function HeroDrawing({ name, className }: HeroDrawingProps) {
  const { viewBox = '', inner = '' } = images[`drawings/${name}`]?.drawing ?? {};
  const [width, height] = sizeOf(viewBox);
  const shapes = inner.replaceAll(/\n|(?<=class="[^"]+") (?:fill|stroke)="#\w+"/g, '');
  const [, knot, string = ''] = STRING.exec(shapes) ?? [];
  const still = shapes.replace(string, '');
  if (shapes.includes('data-string') && !string)
    throw new Error(
      `content/images/drawings/${name}.svg: the path with data-string is not the first of a group with transform`,
    );
  // On a phone, a string that no button holds fades above the heading.
  const fading = string
    ? ''
    : 'max-md:max-h-56 max-md:overflow-hidden max-md:mask-[linear-gradient(currentColor_70%,transparent)]';
  return (
    <div
      className={`pointer-events-none relative -z-1 max-w-144 forced-color-adjust-none md:col-start-2 md:row-span-2 md:row-start-1 md:self-start ${fading} ${className}`}
      aria-hidden="true"
    >
      {string && (
        <div className="absolute -inset-400 overflow-hidden p-400">
          <Shapes viewBox={viewBox} shapes={`${knot}${string}</g>`} />
        </div>
      )}
      <Shapes viewBox={viewBox} shapes={still.replaceAll(KITE, '')} />
      {[...still.matchAll(KITE)].map(([, x = '', y = '', kind, kite = '']) => (
        <Shapes
          key={x}
          viewBox={viewBox}
          shapes={`<g transform="translate(${x} ${y})">${kite}</g>`}
          className="absolute top-0"
          data-kite={kind}
          transformOrigin={`${shareOf(x, width)} ${shareOf(y, height)}`}
        />
      ))}
    </div>
  );
}

/** A string that leaves a drawing downwards, with its place. */
const HANGING = /(\d+) \d+V(\d+)/g;

/** The rings, on the upper edge of what covers them, that the strings of a drawing end at, if it has any. */
export function StringEnds({ name }: Pick<HeroDrawingProps, 'name'>) {
  const { viewBox = '', inner = '' } = images[`drawings/${name}`]?.drawing ?? {};
  const [width, height] = sizeOf(viewBox);
  const ends = [...inner.matchAll(HANGING)].filter(([, , end]) => Number(end) > height);
  if (ends.length === 0) return null;
  return (
    <div
      className="pointer-events-none absolute inset-x-0 top-0 z-1 hidden gap-part lg:grid lg:grid-cols-[7fr_5fr]"
      aria-hidden="true"
    >
      <svg
        className="col-start-2 w-full max-w-144 overflow-visible fill-paper stroke-ink stroke-2"
        viewBox={`0 0 ${width} ${height}`}
      >
        {ends.map(([, x]) => (
          <circle key={x} cx={x} r="6" />
        ))}
      </svg>
    </div>
  );
}

const sizeOf = (viewBox: string) => viewBox.split(' ').slice(2).map(Number) as [number, number];

const shareOf = (length: string, whole: number) => `${((Number(length) / whole) * 100).toFixed(1)}%`;

interface ShapesProps extends SVGProps<SVGSVGElement> {
  readonly shapes: string;
  readonly 'data-kite'?: string | undefined;
  /** React's types lack it. */
  readonly transformOrigin?: string;
}

const Shapes = ({ shapes, className = 'relative', ...attributes }: ShapesProps) => (
  <svg
    {...attributes}
    className={`w-full overflow-visible ${className}`}
    fill="none"
    dangerouslySetInnerHTML={{ __html: shapes }}
  />
);
