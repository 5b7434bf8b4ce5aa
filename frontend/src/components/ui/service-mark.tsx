import { useLocation } from 'react-router-dom';
import { motif, pages, type IconName } from 'virtual:content';
import { Icon } from './icon.tsx';
import { KITES, type Kite } from './kites.ts';

export interface ServiceMarkProps {
  /** Address of the service's page. */
  readonly href: string;
  /** Shown where the service has no kite. */
  readonly icon?: IconName | undefined;
  readonly className?: string;
  /** Path from the kite's lowest point to what holds its string, on a wide screen. */
  readonly string?: string | undefined;
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
export function ServiceMark({ href, icon, className = 'size-10', string }: ServiceMarkProps) {
  const kite = shapeOf(href);
  const hue = hueOf(href);
  if (!kite) return icon && <Icon name={icon} className={`p-1.5 text-hue-ink ${hue} ${className}`} />;
  return (
    <svg className={`service-mark ${hue} ${className}`} viewBox="0 0 48 48" aria-hidden="true">
      <path d={kite.light} />
      <path d={kite.full} />
      <path d={kite.line} />
      {kite.dotted && <path strokeDasharray="2 3" d={kite.dotted} />}
      {string && <path className="max-sm:hidden print:hidden" d={`M${kite.foot} ${string}`} />}
    </svg>
  );
}

/** Returns the name of a service's kite, and why it has this one: "Hargrave box: cells that carry one another". */
export function kiteLine(href: string): string | undefined {
  const { name, reason } = kiteOf(href) ?? {};
  return [name, reason].filter(Boolean).join(': ') || undefined;
}

/** The kite of the service that the page is about, on its own sky next to a list on a wide screen. */
export function PageMark() {
  const { pathname } = useLocation();
  if (!kiteOf(pathname)) return null;
  return (
    <div className="relative row-start-3 grid min-h-80 overflow-clip rounded-md bg-sky pt-12 max-lg:hidden print:hidden">
      <ServiceMark
        href={pathname}
        className="m-auto size-56 [transform:rotate(-6deg)] overflow-visible"
        string="q4 40 -30 60"
      />
      <p className="absolute inset-x-5 top-4 text-sm text-muted">{kiteLine(pathname)}</p>
    </div>
  );
}
