/** A link: within the app it changes the page without loading it anew, everything else is left to the browser. */
import type { AnchorHTMLAttributes } from 'react';
import { Link as RouterLink } from 'react-router';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
}

/** Paths of this host that the server answers itself, not the app. */
const servedPath = /^\/(api|sso|idp|guide|r|login|loggedin|[\w-]+\/slots)(\/|\?|$)/;

/** Whether the app has the page; a download or another window is never the app's. */
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
