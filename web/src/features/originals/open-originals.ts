/** The parts of pages about originals, loaded where there is a decoded image, or their list. */
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';

export const OriginalState = onDemand(
  async () => (await withTexts(import('./kept-original.tsx'), 'images')).KeptOriginalLine,
);
export const Originals = onDemand(
  async () => (await withTexts(import('./originals-panel.tsx'), 'images')).OriginalsPanel,
);
