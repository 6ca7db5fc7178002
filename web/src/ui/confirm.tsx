/** Asks for confirmation before something is lost; the dialog is loaded when it is first needed. */
import { onDemand } from './on-demand.tsx';

const load = async () => (await import('./confirm-dialog.tsx')).ConfirmDialog;

export const Confirm = onDemand(load);

/** Preloads the dialog where the user may need it while offline. */
export function loadConfirm(): void {
  void load().catch(() => {});
}
