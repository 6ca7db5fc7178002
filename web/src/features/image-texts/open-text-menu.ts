/** The other formats of a decoded image, loaded where one can be downloaded. */
import { withTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';

export const TextFormats = onDemand(
  async () => (await withTexts(import('./text-menu.tsx'), 'images')).TextMenu,
);
