/** Asks for confirmation before something is lost; the dialog is loaded when it is first needed. */
import { onDemand } from '../loading/on-demand.tsx';

export const Confirm = onDemand(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog);

/** Preloads the dialog where the user may need it while offline. */
export function loadConfirm(): void {
  Confirm.preload();
}
