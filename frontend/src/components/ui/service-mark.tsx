import { useLocation } from 'react-router-dom';
import { motif, pages, type IconName } from 'virtual:content';
import { Icon } from './icon.tsx';
import { FLIGHTS, KITES, LOW, type Kite } from './kites.ts';

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
      <Cloths kite={kite} />
      {string && <path className="max-sm:hidden print:hidden" d={`M${kite.foot} ${string}`} />}
    </svg>
  );
}

const Cloths = ({ kite }: { readonly kite: Kite }) => (
  <>
    <path d={kite.light} />
    <path d={kite.full} />
    <path d={kite.line} />
    {kite.dotted && <path strokeDasharray="2 3" d={kite.dotted} />}
  </>
);

/** Returns the name of a service's kite, and why it has this one: "Hargrave box: cells that carry one another". */
export function kiteLine(href: string): string | undefined {
  const { name, reason } = kiteOf(href) ?? {};
  return [name, reason].filter(Boolean).join(': ') || undefined;
}

/**
 * The kite of the page, or the company's own, below a heading. Its string ends at the lower left corner of the list, if there
 * is one.
 */
export function PageMark() {
  const { pathname } = useLocation();
  if (motif !== 'kite') return null;
  const { kind } = kiteOf(pathname) ?? { kind: 'eddy' };
  const line = kiteLine(pathname);
  const kite: Kite = KITES[kind];
  const { left, size, foot, lean, words } = FLIGHTS[kind] ?? LOW;
  const x = Math.round(left + (size * Number.parseInt(kite.foot)) / 48);
  return (
    <div className="relative min-h-64 grow max-lg:hidden print:hidden">
      {line && <p className={`absolute ${words} text-sm leading-snug text-muted`}>{line}</p>}
      <svg className="absolute inset-0 size-full service-mark overflow-visible" aria-hidden="true">
        {/* The kite is as large as the column allows, and the string begins at its foot. */}
        <svg
          overflow="visible"
          preserveAspectRatio="xMinYMin"
          x={`${x}%`}
          y={`${foot}%`}
          width={`${size}%`}
          height={`${foot + 4}%`}
          viewBox={`${kite.foot} 48 48`}
        >
          <g transform={`rotate(${lean} ${kite.foot})`}>
            <Cloths kite={kite} />
          </g>
        </svg>
        <svg overflow="visible" viewBox="0 0 100 100" preserveAspectRatio="none">
          <path className="fill-none" d={`M${x} ${foot}C${x + 2} 95 ${x + 20} 100 108 100`} />
        </svg>
        <circle cx="108%" cy="100%" r="6" />
      </svg>
    </div>
  );
}
