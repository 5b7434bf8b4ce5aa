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

/**
 * Drawing next to a heading, inlined into the page. Its string is behind it, in a window that is larger than the string
 * can become, so that the boot can draw it (boot/hold-string.ts).
 */
export function HeroDrawing({ name, className }: HeroDrawingProps) {
  const { viewBox = '', inner = '' } = images[`drawings/${name}`]?.drawing ?? {};
  const shapes = inner.replaceAll(/\n|(?<=class="[^"]+") (?:fill|stroke)="#\w+"/g, '');
  const [, knot, string] = STRING.exec(shapes) ?? [];
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
      <Shapes viewBox={viewBox} shapes={string ? shapes.replace(string, '') : shapes} />
    </div>
  );
}

const Shapes = ({ viewBox, shapes }: { viewBox: string; shapes: string }) => (
  <svg
    className="relative w-full overflow-visible"
    viewBox={viewBox}
    fill="none"
    dangerouslySetInnerHTML={{ __html: shapes }}
  />
);
