/** How the texts that only some pages need are loaded, by the path of their file. */

export const partLoaders = import.meta.glob<Readonly<Record<string, string>>>(
  ['./*/*.json', '!./*/{shell,recoding,errors,document,sign-in,verify}.json'],
  { base: './locales', import: 'default' },
);
