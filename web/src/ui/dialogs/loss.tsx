/** Asks for confirmation before something is permanently lost; the dialog is loaded when it is first needed. */
import { onDemand } from '../loading/on-demand.tsx';

export const LossDialog = onDemand(async () => (await import('./loss-dialog.tsx')).LossDialog);
