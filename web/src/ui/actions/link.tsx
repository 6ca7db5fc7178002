/** A link: within the app it navigates without a reload, everything else is left to the browser. */
import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
}

/** Paths of this host that are not pages of the app: those of the server, and the sign-in (see `web/vite.config.ts`). */
const outsidePath = new RegExp(import.meta.env.OUTSIDE_PATHS);

/** Whether the app handles the link; it never handles downloads or links to another window. */
function isInside({ href, target, download }: LinkProps): boolean {
  const isOurs = href.startsWith('/') && !href.startsWith('//') && !outsidePath.test(href);
  return isOurs && target === undefined && download === undefined;
}

/** Without the router's own link, which would add its loading of pages in advance to every page. */
function InsideLink({ href, onClick, children, ...rest }: LinkProps) {
  const address = useHref(href);
  const navigate = useLinkClickHandler<HTMLAnchorElement>(href);
  return (
    <a
      {...rest}
      href={address}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) navigate(event);
      }}
    >
      {children}
    </a>
  );
}

export function Link(props: LinkProps) {
  const { href, children, ...rest } = props;
  if (isInside(props)) {
    return (
      <InsideLink href={href} {...rest}>
        {children}
      </InsideLink>
    );
  }
  const rel = rest.target === '_blank' ? 'noopener noreferrer' : undefined;
  return (
    <a href={href} rel={rel} {...rest}>
      {children}
    </a>
  );
}

interface PlaceLinkProps {
  readonly href: string;
  /** Whether the pages below it count as well. */
  readonly hasPagesBelow?: boolean;
  /** Its look, for the current place and for others. */
  readonly className: (isCurrent: boolean) => string;
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

/** A link of a navigation: it is marked on its own page. */
export function PlaceLink({ href, hasPagesBelow = false, className, ...rest }: PlaceLinkProps) {
  const { pathname } = useLocation();
  const isBelow = hasPagesBelow && pathname.startsWith(`${href}/`);
  const isCurrent = pathname === href || pathname === `${href}/` || isBelow;
  return (
    <Link
      href={href}
      className={className(isCurrent)}
      {...(isCurrent ? { 'aria-current': 'page' } : {})}
      {...rest}
    />
  );
}
