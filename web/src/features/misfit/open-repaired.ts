/** Why a repaired file did not fit, loaded when a job has one. */
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';

export const Repaired = onDemand(
  async () => (await withTexts(import('./repaired.tsx'), 'misfit')).RepairReason,
);
