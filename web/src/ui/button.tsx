/** The button: one primary per page, secondary and quiet next to it, danger for destructive actions. */
import LoaderCircle from 'lucide-react/icons/loader-circle';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { type ButtonLook, type ButtonSize, buttonClass } from './button-look.ts';
import { classNames } from './class-names.ts';
import { Icon, type IconPart } from './icon.tsx';
import { PlainButton, type PlainButtonProps } from './plain-button.tsx';

export interface ButtonProps extends PlainButtonProps {
  readonly look?: ButtonLook;
  readonly size?: ButtonSize;
  readonly icon?: IconPart;
  /** The label of an icon-only button; other buttons use their children. */
  readonly label?: string;
  readonly children?: ReactNode;
}

/** While `isPending` a spinner replaces the icon; presses do nothing. */
export function Button({
  look = 'secondary',
  size = 'medium',
  icon,
  label,
  children,
  className,
  isPending = false,
  ...rest
}: ButtonProps) {
  const { t } = useTexts();
  const mark = isPending ? LoaderCircle : icon;
  const isIconOnly = children === undefined;
  return (
    <PlainButton
      {...rest}
      isPending={isPending}
      {...(isIconOnly && label !== undefined ? { 'aria-label': label, title: label } : {})}
      className={classNames(buttonClass(look, size, isIconOnly), className)}
    >
      {mark && <Icon of={mark} size={18} className={isPending ? 'animate-spin' : ''} />}
      {children}
      {isPending && <span className="sr-only">{t('ui.working')}</span>}
    </PlainButton>
  );
}
