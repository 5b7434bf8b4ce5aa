import type { AnchorHTMLAttributes } from 'react';
import { useLinkClickHandler } from 'react-router-dom';

export interface SiteLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
  readonly newTab?: boolean | undefined;
}

/** A link: through the router for a page of this site, plain for anchors, addresses and files. */
export function SiteLink({ href, newTab, ...rest }: SiteLinkProps) {
  if (newTab) return <a href={href} target="_blank" rel="noopener" {...rest} />;
  const isPage = href.startsWith('/') && !/\.\w+$/.test(href);
  return isPage ? <PageLink href={href} {...rest} /> : <a href={href} {...rest} />;
}

/** The router's `Link` without its prefetching for framework mode, which would bring most of the router along. */
function PageLink({ href, onClick, ...rest }: SiteLinkProps) {
  const navigate = useLinkClickHandler<HTMLAnchorElement>(href);
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) navigate(event);
      }}
    />
  );
}
