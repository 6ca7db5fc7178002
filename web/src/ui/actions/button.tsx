/** The button: one primary per page, secondary and quiet next to it, danger for destructive actions. */
import LoaderCircle from 'lucide-react/icons/loader-circle';
import { useTexts } from '../../i18n/texts.ts';
import { buttonClass, type LookProps } from './button-look.ts';
import { classNames } from '../class-names.ts';
import { Icon } from '../display/icon.tsx';
import { PlainButton, type PlainButtonProps } from './plain-button.tsx';

export type ButtonProps = PlainButtonProps & LookProps;

/** While `isPending` is true, a spinner replaces the icon and presses do nothing. */
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
