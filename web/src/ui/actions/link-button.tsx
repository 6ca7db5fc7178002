/** A link that looks like a button: it navigates, so it stays a link for keyboard, context menu and screen reader. */
import { buttonClass, type LookProps } from './button-look.ts';
import { classNames } from '../class-names.ts';
import { Icon } from '../display/icon.tsx';
import { Link, type LinkProps } from './link.tsx';

export type LinkButtonProps = LinkProps & LookProps;

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
