/** How the texts that only some pages need are loaded, by the path of their file. */

export const partLoaders = import.meta.glob<Readonly<Record<string, string>>>(
  './locales/*/{changes,checks,encode,home,jobs,log,notices,places,preferences,settings,storage,tray,utility}.json',
  { import: 'default' },
);
