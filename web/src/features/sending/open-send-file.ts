/** Opens the dialog that sends an encoded file, from the page of its read or of its job; loaded when it is opened. */
import { loadTexts } from '../../i18n/texts.ts';
import { onDemand } from '../../ui/loading/on-demand.tsx';

export const SendFile = onDemand(async () => {
  const [part] = await Promise.all([
    import('./send-file.tsx'),
    loadTexts('encode'),
    loadTexts('jobs'),
  ]);
  return part.SendFile;
});
