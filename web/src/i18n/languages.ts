/** The languages of the product, and which one a browser begins with. */

/** All nine languages by their own names, in the order of the menu. */
export const languageNames = {
  'de-DE': 'Deutsch',
  'en-US': 'English',
  'es-ES': 'Español',
  'fr-FR': 'Français',
  'it-IT': 'Italiano',
  'pl-PL': 'Polski',
  'pt-BR': 'Português',
  'ru-RU': 'Русский',
  'zh-CN': '中文',
} as const;
export type Language = keyof typeof languageNames;

/** The languages whose texts are complete; only these are offered. */
export const offeredLanguages = [
  'en-US',
  'it-IT',
  'pl-PL',
  'ru-RU',
  'zh-CN',
] as const satisfies readonly Language[];
export type OfferedLanguage = (typeof offeredLanguages)[number];

/** Shown where nothing better is known, and for texts that another language lacks. */
export const fallbackLanguage: OfferedLanguage = 'en-US';

const storageKey = 'LNG';

/** The offered language nearest to a culture such as `it`, `it-CH` or `it-IT`; null when there is none. */
export function offeredLanguageOf(culture: string | null | undefined): OfferedLanguage | null {
  if (!culture) return null;
  const wanted = culture.toLowerCase();
  const short = wanted.split('-')[0];
  return (
    offeredLanguages.find((language) => language.toLowerCase() === wanted) ??
    offeredLanguages.find((language) => language.toLowerCase().split('-')[0] === short) ??
    null
  );
}

/**
 * The language to show: the one chosen in this browser, then the account's culture, then the
 * browser's own, then English.
 */
export function chooseLanguage(
  stored: string | null,
  culture: string | null,
  browser: readonly string[],
): OfferedLanguage {
  for (const candidate of [stored, culture, ...browser]) {
    const language = offeredLanguageOf(candidate);
    if (language !== null) return language;
  }
  return fallbackLanguage;
}

/** The language chosen by hand in this browser, or null. */
export function storedLanguage(): string | null {
  return localStorage.getItem(storageKey);
}

/** Remembers a language chosen by hand. */
export function storeLanguage(language: OfferedLanguage): void {
  localStorage.setItem(storageKey, language);
}
