/** The question of a tray which slave wrote a read: a button for each; loaded when it is asked. */
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';

export interface SlaveButtonsProps {
  /** Serial numbers. */
  readonly slaves: readonly string[];
  /** Of the read file. */
  readonly fileName: string;
  readonly onChoose: (slave: string) => void;
}

export function SlaveButtons({ slaves, fileName, onChoose }: SlaveButtonsProps) {
  const { t } = useTexts();
  return (
    <div
      role="group"
      aria-label={t('ui.labelled', { label: t('SLAVE_NEEDED_TITLE'), value: fileName })}
      className="mt-1.5 flex flex-wrap gap-2"
    >
      {slaves.map((slave) => (
        <Button key={slave} size="small" onPress={() => onChoose(slave)}>
          {slave}
        </Button>
      ))}
    </div>
  );
}
