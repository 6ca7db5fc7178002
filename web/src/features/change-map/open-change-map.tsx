/** The change map of two files and the button that opens it; map and texts are loaded when they are first needed. */
import Diff from 'lucide-react/icons/diff';
import { useState } from 'react';
import { useTexts, withTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import type { Pair } from './change-data.ts';
import type { ReportFact } from './change-report.tsx';

/** The change map of two files as a dialog that is open while it is mounted. */
export const ChangeMap = onDemand(
  async () => (await withTexts(import('./change-map.tsx'), 'changes')).ChangeMap,
);

export interface ChangeMapButtonProps extends Pair {
  /** What the files are images of: the name of their component. */
  readonly component: string;
  /** The vehicle and the read, for the printed report. */
  readonly facts: readonly ReportFact[];
}

export function ChangeMapButton(props: ChangeMapButtonProps) {
  const { t } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        icon={Diff}
        aria-label={t('ui.labelled', { label: t('ui.showChanges'), value: props.component })}
        aria-haspopup="dialog"
        onPress={() => setIsOpen(true)}
      >
        {t('ui.showChanges')}
      </Button>
      {isOpen && <ChangeMap {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}
