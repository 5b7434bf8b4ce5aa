import { images } from '../../content/images.ts';
import type { Picture as PictureContent } from '../../content/elements.ts';

export interface PictureProps {
  readonly picture: PictureContent;
  /** Width the picture takes on the page, as the HTML `sizes` attribute. */
  readonly sizes: string;
  /** True when it is in the first screen: loaded first, not lazily. */
  readonly first?: boolean;
  readonly className?: string;
  readonly imgClassName?: string;
}

/** `srcset` of one format. */
export const srcSet = (key: PictureContent['key'], format: 'avif' | 'webp') =>
  images[key].widths.map((width) => `/images/${key}-${width}.${format} ${width}w`).join(', ');

/** One of our own pictures: AVIF, then WebP, then the JPEG every browser reads. */
export function Picture({ picture: { key, alt }, sizes, first = false, className, imgClassName }: PictureProps) {
  const { width, height } = images[key];
  return (
    <picture className={className}>
      <source type="image/avif" srcSet={srcSet(key, 'avif')} sizes={sizes} />
      <source type="image/webp" srcSet={srcSet(key, 'webp')} sizes={sizes} />
      <img
        className={imgClassName}
        src={`/images/${key}.jpg`}
        alt={alt}
        width={width}
        height={height}
        {...(first ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const, decoding: 'async' as const })}
      />
    </picture>
  );
}
