import images from 'virtual:images';

/** Width from which the wide drawing is shown. Below it, its letters would be smaller than 12 pixels. */
const WIDE = '(min-width: 48rem)';

export interface DrawingProps {
  /** Name of an SVG in `content/images/figures`, which has a second one with "-narrow" for phones. */
  readonly figure: string;
  readonly alt: string;
  /** Fragment of the address, by which the drawing hides a part of itself. */
  readonly part?: string;
  /** How it comes into view. */
  readonly entrance?: string;
  readonly className?: string;
}

/** Explanatory drawing. */
export function Drawing({ figure, alt, part = '', entrance = 'unrolling', className = '' }: DrawingProps) {
  const [wide, narrow] = [images[`figures/${figure}`], images[`figures/${figure}-narrow`]];
  if (!wide || !narrow) throw new Error(`content/images/figures lacks ${figure}.svg or ${figure}-narrow.svg`);
  return (
    <picture
      className={`${entrance} mx-auto block w-full max-w-104 min-[48rem]:max-w-none print:max-w-none ${className}`.trim()}
    >
      <source media={WIDE} srcSet={wide.src + part} width={wide.width} height={wide.height} />
      <img
        src={narrow.src + part}
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
