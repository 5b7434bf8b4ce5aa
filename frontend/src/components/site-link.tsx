import type { AnchorHTMLAttributes } from 'react';
import { Link } from 'react-router-dom';

export interface SiteLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
  readonly newTab?: boolean | undefined;
}

/** A link: through the router for a page of this site, plain for anchors, addresses and files. */
export function SiteLink({ href, newTab, ...rest }: SiteLinkProps) {
  if (newTab) return <a href={href} target="_blank" rel="noopener" {...rest} />;
  const isPage = href.startsWith('/') && !/\.\w+$/.test(href);
  return isPage ? <Link to={href} {...rest} /> : <a href={href} {...rest} />;
}
