/** One setting with the button that resets it to its default. */
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { classNames } from '../../ui/class-names.ts';

export interface PreferenceFieldProps {
  /** The setting's name, which distinguishes the reset buttons. */
  readonly name: string;
  readonly isDefault: boolean;
  readonly onReset: () => void;
  readonly children: ReactNode;
  /** Whether a label is above the control: the button is then next to the control, not next to the label. */
  readonly isLabelAbove?: boolean;
}

export function PreferenceField({
  name,
  isDefault,
  onReset,
  children,
  isLabelAbove = true,
}: PreferenceFieldProps) {
  const { t } = useTexts();
  return (
    <div className="flex flex-col gap-2 border-line py-4 not-first:border-t first:pt-0 last:pb-0 md:flex-row md:gap-8">
      <div className="min-w-0 md:flex-1">{children}</div>
      <div className={classNames('md:shrink-0', isLabelAbove && 'md:pt-6')}>
        {/* A default value needs no button; the space stays reserved, so that the layout does not shift. */}
        <Button
          look="quiet"
          icon={RotateCcw}
          isDisabled={isDefault}
          aria-label={t('settings.resetNamed', { name })}
          onPress={onReset}
          className="whitespace-nowrap max-md:-ml-3"
        >
          {t('settings.reset')}
        </Button>
      </div>
    </div>
  );
}
