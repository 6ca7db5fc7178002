/** The explanation of a file that does not fit, loaded when one is shown first. */
import { withTexts } from '../../../../i18n/texts.ts';
import { onDemand } from '../../../../ui/loading/on-demand.tsx';

export const MisfitPanel = onDemand(
  async () => (await withTexts(import('./misfit-panel.tsx'), 'misfit')).MisfitPanel,
);
