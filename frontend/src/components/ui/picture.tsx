import images from 'virtual:images';
import type { Picture as PictureContent } from 'virtual:content';

export interface PictureProps {
  readonly picture: PictureContent;
  /** Width of the picture on the page, as the HTML `sizes` attribute. */
  readonly sizes: string;
  /** Whether the picture is in the first screen: loaded with high priority, not lazily. */
  readonly first?: boolean;
  readonly className?: string;
  readonly imgClassName?: string;
}

/** A picture of `content/images`: as AVIF in the size that the screen needs, or the JPEG or drawing every browser reads. */
export function Picture({ picture: { image: key, alt }, sizes, first = false, className, imgClassName }: PictureProps) {
  const image = images[key];
  if (!image) throw new Error(`There is no picture ${key} in content/images`);
  const { src, width, height } = image;
  const avif = image.avif.map((file) => `${file.address} ${file.width}w`).join(', ');
  return (
    <picture className={className}>
      {avif && <source type="image/avif" srcSet={avif} sizes={sizes} />}
      <img
        className={imgClassName}
        src={src}
        alt={alt}
        width={width}
        height={height}
        {...(first ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const, decoding: 'async' as const })}
      />
    </picture>
  );
}
