/** A link: within the app it navigates without a reload, everything else is left to the browser. */
import type { AnchorHTMLAttributes } from 'react';
import { Link as RouterLink } from 'react-router';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
}

/** Paths of this host that the server handles itself, not the app. */
const servedPath = /^\/(api|sso|idp|guide|r|login|loggedin|[\w-]+\/slots)(\/|\?|$)/;

/** Whether the app handles the link; it never handles downloads or links to another window. */
function isInside({ href, target, download }: LinkProps): boolean {
  const isOurs = href.startsWith('/') && !href.startsWith('//') && !servedPath.test(href);
  return isOurs && target === undefined && download === undefined;
}

export function Link(props: LinkProps) {
  const { href, children, ...rest } = props;
  if (isInside(props)) {
    return (
      <RouterLink to={href} {...rest}>
        {children}
      </RouterLink>
    );
  }
  const rel = rest.target === '_blank' ? 'noopener noreferrer' : undefined;
  return (
    <a href={href} rel={rel} {...rest}>
      {children}
    </a>
  );
}
