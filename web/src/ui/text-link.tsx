/** A link in running text. */
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-aria-components/Link';
import { classNames } from './class-names.ts';

export interface TextLinkProps extends Omit<LinkProps, 'children' | 'className' | 'style'> {
  readonly children: ReactNode;
  readonly className?: string;
}

export function TextLink({ children, className, ...rest }: TextLinkProps) {
  return (
    <Link
      {...rest}
      className={classNames(
        'rounded-xs text-accent underline decoration-from-font underline-offset-2 hover:text-accent-hover',
        className,
      )}
    >
      {children}
    </Link>
  );
}
