import images from 'virtual:images';

export interface HeroDrawingProps {
  /**
   * Name of an SVG in `content/images/drawings`. Its classes colour it with the page; its own colours are for its
   * editors.
   */
  readonly name: string;
  readonly className: string;
}

/** Drawing next to a heading, inlined into the page. */
export function HeroDrawing({ name, className }: HeroDrawingProps) {
  const { viewBox, inner = '' } = images[`drawings/${name}`]?.drawing ?? {};
  // On a phone, a string that no button holds fades above the heading.
  const fading = inner.includes('data-string')
    ? ''
    : 'max-md:max-h-56 max-md:overflow-hidden max-md:mask-[linear-gradient(currentColor_70%,transparent)]';
  return (
    <svg
      className={`pointer-events-none block max-w-144 overflow-visible forced-color-adjust-none md:col-start-2 md:row-span-2 md:row-start-1 md:self-start ${fading} ${className}`}
      viewBox={viewBox}
      fill="none"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: inner.replaceAll(/\n|(?<=class="[^"]+") (?:fill|stroke)="#\w+"/g, '') }}
    />
  );
}
