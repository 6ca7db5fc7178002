/** A link: within the app it navigates without a reload, everything else is left to the browser. */
import type { AnchorHTMLAttributes } from 'react';
import { Link as RouterLink } from 'react-router';

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
