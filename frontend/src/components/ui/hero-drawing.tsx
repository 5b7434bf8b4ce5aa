import images from 'virtual:images';

export interface HeroDrawingProps {
  /** An SVG of `content/images/drawings`. Its classes colour it with the page; its own colours are for those who edit it. */
  readonly name: string;
  readonly className: string;
}

/** A drawing beside a heading, as a part of the page. */
export function HeroDrawing({ name, className }: HeroDrawingProps) {
  const [, viewBox, shapes = ''] =
    /viewBox="([^"]+)"[^>]*>(.*)<\/svg>/s.exec(images[`drawings/${name}`]?.svg ?? '') ?? [];
  return (
    <svg
      className={`mx-auto block max-w-144 overflow-visible forced-color-adjust-none md:col-start-2 md:row-span-2 md:row-start-1 md:self-start ${className}`}
      viewBox={viewBox}
      fill="none"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: shapes.replaceAll(/\n|(?<=class="[^"]+") (?:fill|stroke)="#\w+"/g, '') }}
    />
  );
}
