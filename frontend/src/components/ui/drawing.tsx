import images from 'virtual:images';

/** Below this width the drawing made for phones is shown: the wide one's letters would fall under 12 pixels. */
const WIDE = '(min-width: 48rem)';

export interface DrawingProps {
  /** An SVG of `content/images/figures`, which has a second one with "-narrow" for phones. */
  readonly figure: string;
  readonly alt: string;
  readonly className?: string;
}

/** A drawing that explains. */
export function Drawing({ figure, alt, className }: DrawingProps) {
  const [wide, narrow] = [images[`figures/${figure}`], images[`figures/${figure}-narrow`]];
  if (!wide || !narrow) throw new Error(`content/images/figures lacks ${figure}.svg or ${figure}-narrow.svg`);
  return (
    <picture className={className}>
      <source media={WIDE} srcSet={wide.src} width={wide.width} height={wide.height} />
      <img
        src={narrow.src}
        alt={alt}
        width={narrow.width}
        height={narrow.height}
        loading="lazy"
        decoding="async"
        className="mx-auto h-auto w-full max-w-104 min-[48rem]:max-w-none print:break-inside-avoid"
      />
    </picture>
  );
}
