/** What was recognized in the images of a read, loaded when something was. */
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';

export const FoundInImage = onDemand(
  async () => (await withTexts(import('./found-in-image.tsx'), 'encode')).FoundInImagePanel,
);
