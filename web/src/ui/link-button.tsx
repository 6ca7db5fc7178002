/** A link that looks like a button: it goes somewhere, so it stays a link for keyboard, menu and screen reader. */
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-aria-components/Link';
import { type ButtonLook, type ButtonSize, buttonClass } from './button-look.ts';
import { classNames } from './class-names.ts';
import { Icon, type IconPart } from './icon.tsx';

export interface LinkButtonProps extends Omit<LinkProps, 'children' | 'className' | 'style'> {
  readonly look?: ButtonLook;
  readonly size?: ButtonSize;
  readonly icon?: IconPart;
  readonly children: ReactNode;
  readonly className?: string;
}

export function LinkButton({
  look = 'secondary',
  size = 'medium',
  icon,
  children,
  className,
  ...rest
}: LinkButtonProps) {
  return (
    <Link {...rest} className={classNames(buttonClass(look, size), className)}>
      {icon && <Icon of={icon} />}
      {children}
    </Link>
  );
}
