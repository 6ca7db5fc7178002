/** The main action with related actions in a menu next to it: the first of `actions` is the button. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import { useTexts } from '../i18n/texts.ts';
import { buttonClass } from './button-look.ts';
import { classNames } from './class-names.ts';
import { Icon, type IconPart } from './icon.tsx';
import { Menu } from './menu.tsx';
import { PlainButton } from './plain-button.tsx';

export interface SplitAction {
  readonly id: string;
  readonly label: string;
  readonly icon: IconPart;
  readonly onAction: () => void;
  readonly isDisabled?: boolean;
}

export interface SplitButtonProps {
  /** At least one; the first is the button, the others are in the menu. */
  readonly actions: readonly [SplitAction, ...SplitAction[]];
  /** The name of the menu. */
  readonly more: string;
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
}

export function SplitButton({
  actions,
  more,
  isDisabled = false,
  isPending = false,
}: SplitButtonProps) {
  const { t } = useTexts();
  const [first, ...others] = actions;
  const primary = buttonClass('primary', 'large');
  return (
    <div className="flex w-full sm:w-auto">
      <PlainButton
        onPress={first.onAction}
        isDisabled={isDisabled || (first.isDisabled ?? false)}
        isPending={isPending}
        className={classNames(primary, 'flex-1', others.length > 0 && 'rounded-r-none')}
      >
        <Icon
          of={isPending ? LoaderCircle : first.icon}
          className={isPending ? 'animate-spin' : ''}
        />
        {first.label}
        {isPending && <span className="sr-only">{t('ui.working')}</span>}
      </PlainButton>
      {others.length > 0 && (
        <Menu
          label={more}
          trigger={
            <PlainButton
              aria-label={more}
              isDisabled={isDisabled || isPending}
              className={classNames(
                buttonClass('primary', 'large', true),
                'ml-px h-auto rounded-l-none',
              )}
            >
              <Icon of={ChevronDown} />
            </PlainButton>
          }
          groups={[
            {
              items: others.map(({ id, label, icon, onAction, isDisabled: isOff = false }) => ({
                id,
                text: label,
                icon,
                onAction,
                isDisabled: isOff,
              })),
            },
          ]}
        />
      )}
    </div>
  );
}
