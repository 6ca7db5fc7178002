/** A link that looks like a button: it navigates, so it stays a link for keyboard, context menu and screen reader. */
import type { ReactNode } from 'react';
import { type ButtonLook, type ButtonSize, buttonClass } from './button-look.ts';
import { classNames } from './class-names.ts';
import { Icon, type IconPart } from './icon.tsx';
import { Link, type LinkProps } from './link.tsx';

export interface LinkButtonProps extends LinkProps {
  readonly look?: ButtonLook;
  readonly size?: ButtonSize;
  readonly icon?: IconPart;
  /** The label of an icon-only link; other links use their children. */
  readonly label?: string;
  readonly children?: ReactNode;
}

export function LinkButton({
  look = 'secondary',
  size = 'medium',
  icon,
  label,
  children,
  className,
  ...rest
}: LinkButtonProps) {
  const isIconOnly = children === undefined;
  return (
    <Link
      {...rest}
      {...(isIconOnly && label !== undefined ? { 'aria-label': label, title: label } : {})}
      className={classNames(buttonClass(look, size, isIconOnly), className)}
    >
      {icon && <Icon of={icon} />}
      {children}
    </Link>
  );
}
