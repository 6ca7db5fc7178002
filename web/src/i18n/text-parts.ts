/** How the texts that only some pages need are loaded, by the path of their file. */
import type { Texts } from './catalog.ts';

export const partLoaders = import.meta.glob<Texts>(
  ['./*/*.json', '!./*/{shell,recoding,errors,document,sign-in,verify}.json'],
  { base: './locales', import: 'default' },
);
