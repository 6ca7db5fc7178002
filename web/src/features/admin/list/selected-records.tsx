/** How many records are selected, and what can be done with all of them. */
import X from 'lucide-react/icons/x';
import { numberText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { ActOnRecords } from '../actions/act-on-records.tsx';
import { actionsOfAll } from '../records/record-actions.ts';
import type { AnyRecord, AnyResource } from '../records/records.ts';

export interface SelectedRecordsProps {
  readonly resource: AnyResource;
  readonly records: readonly AnyRecord[];
  readonly onDone: () => void;
}

export function SelectedRecords({ resource, records, onDone }: SelectedRecordsProps) {
  const { t, language } = useTexts();
  if (records.length === 0) return null;
  return (
    <div
      role="group"
      aria-label={t('admin.selection')}
      className="sticky top-14 z-20 flex flex-wrap items-center gap-2 rounded-m bg-accent-soft px-4 py-2"
    >
      <p role="status" className="mr-auto font-medium tabular-nums">
        {t('admin.selected', { number: numberText(records.length, language) })}
      </p>
      <ActOnRecords
        resource={resource}
        records={records}
        actions={actionsOfAll(resource, records)}
        onDone={onDone}
      />
      <Button look="quiet" icon={X} label={t('admin.clearSelection')} onPress={onDone} />
    </div>
  );
}
