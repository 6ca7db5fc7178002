/** The dialog that adds many slaves. */
import { AddSlavesDialog } from '../../../src/features/admin/devices/add-slaves-dialog.tsx';
import { noSuggestions } from '../../made/admin-records.ts';
import { Part, report, State } from '../../state.tsx';

export function SlavesParts() {
  return (
    <Part file="features/admin/devices/add-slaves-dialog.tsx">
      <State name="empty" window={760} given={[...noSuggestions]}>
        <AddSlavesDialog onClose={() => report('close')} />
      </State>
    </Part>
  );
}
