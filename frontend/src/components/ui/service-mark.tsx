import { motif, pages, type IconName } from 'virtual:content';
import { Icon } from './icon.tsx';
import { KITES, type Kite } from './kites.ts';

export interface ServiceMarkProps {
  /** Address of the service's page. */
  readonly href: string;
  /** Shown where the service has no kite. */
  readonly icon?: IconName | undefined;
  readonly className?: string;
}

const pageOf = (href: string) => pages.find(({ path }) => path === href);

/** Class of the hue of a page. */
export const hueOf = (href: string) => {
  const page = pageOf(href);
  return page ? `hue-${page.hue}` : '';
};

/** Returns the kite that the page of a service chooses, if the brand has kites. */
export const kiteOf = (href: string) => (motif === 'kite' ? pageOf(href)?.kite : undefined);

const shapeOf = (href: string): Kite | undefined => {
  const kite = kiteOf(href);
  return kite && KITES[kite.kind];
};

/** The kite of a service in outline, as large as a picture. Other pages have the company's own, Eddy's. */
export function KiteOutline({ href, className }: { readonly href: string; readonly className: string }) {
  if (motif !== 'kite') return null;
  const kite: Kite = shapeOf(href) ?? KITES.eddy;
  return (
    <svg
      className={`kite-outline fill-none stroke-kite-3 stroke-2 cloth-in-hue *:[vector-effect:non-scaling-stroke] ${className}`}
      viewBox="0 0 48 48"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={kite.light + kite.full + kite.line} />
      {kite.dotted && <path strokeDasharray="6 6" d={kite.dotted} />}
    </svg>
  );
}

/** The mark of a service: its kind of kite, or its icon, in the hue of its page. */
export function ServiceMark({ href, icon, className = 'size-10' }: ServiceMarkProps) {
  const kite = shapeOf(href);
  const hue = hueOf(href);
  if (!kite) return icon && <Icon name={icon} className={`p-1.5 text-hue-ink ${hue} ${className}`} />;
  return (
    <svg className={`service-mark ${hue} ${className}`} viewBox="0 0 48 48" aria-hidden="true">
      <path d={kite.light} />
      <path d={kite.full} />
      <path d={kite.line} />
      {kite.dotted && <path strokeDasharray="2 3" d={kite.dotted} />}
    </svg>
  );
}
