import { REACH } from '../../boot/hold-string.ts';
import images from 'virtual:images';

export interface HeroDrawingProps {
  /**
   * Name of an SVG in `content/images/drawings`. Its classes colour it with the page; its own colours are for its
   * editors.
   */
  readonly name: string;
  readonly className: string;
}

/** Window that the string is seen through. It slides to draw the string (boot/hold-string.ts). */
const BOX = [-REACH, -REACH, 2 * REACH, 2 * REACH] as const;
const WINDOW = `<g><svg x="${-REACH}" y="${-REACH}" width="${2 * REACH}" height="${2 * REACH}" viewBox="${BOX.join(' ')}">$&</svg></g>`;

/** Drawing next to a heading, inlined into the page. */
export function HeroDrawing({ name, className }: HeroDrawingProps) {
  const [, viewBox, shapes = ''] =
    /viewBox="([^"]+)"[^>]*>(.*)<\/svg>/s.exec(images[`drawings/${name}`]?.svg ?? '') ?? [];
  // On a phone, a string that no button holds fades above the heading.
  const fading = shapes.includes('data-string')
    ? ''
    : 'max-md:max-h-56 max-md:overflow-hidden max-md:mask-[linear-gradient(currentColor_70%,transparent)]';
  return (
    <svg
      className={`pointer-events-none block max-w-144 overflow-visible forced-color-adjust-none md:col-start-2 md:row-span-2 md:row-start-1 md:self-start ${fading} ${className}`}
      viewBox={viewBox}
      fill="none"
      aria-hidden="true"
      dangerouslySetInnerHTML={{
        __html: shapes
          .replaceAll(/\n|(?<=class="[^"]+") (?:fill|stroke)="#\w+"/g, '')
          .replace(/<path data-string[^>]*>/, WINDOW),
      }}
    />
  );
}
