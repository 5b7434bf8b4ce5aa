import images from 'virtual:images';

/** Width from which the wide drawing is shown. Below it, its letters would be smaller than 12 pixels. */
const WIDE = '(min-width: 48rem)';

export interface DrawingProps {
  /** Name of an SVG in `content/images/figures`, which has a second one with "-narrow" for phones. */
  readonly figure: string;
  readonly alt: string;
}

/** Explanatory drawing. */
export function Drawing({ figure, alt }: DrawingProps) {
  const [wide, narrow] = [images[`figures/${figure}`], images[`figures/${figure}-narrow`]];
  if (!wide || !narrow) throw new Error(`content/images/figures lacks ${figure}.svg or ${figure}-narrow.svg`);
  return (
    <picture className="unrolling mx-auto block w-full max-w-104 min-[48rem]:max-w-none print:max-w-none">
      <source media={WIDE} srcSet={wide.src} width={wide.width} height={wide.height} />
      <img
        src={narrow.src}
        alt={alt}
        width={narrow.width}
        height={narrow.height}
        loading="lazy"
        decoding="async"
        className="h-auto w-full object-contain"
      />
    </picture>
  );
}
