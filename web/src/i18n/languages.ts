/** The product's languages, and how the initial one is chosen. */

import type { Culture } from '@recodery/contract/cultures';

/** Each of the nine languages by its own name, in the order of the menu. */
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
} as const satisfies Readonly<Record<Culture, string>>;

export type Language = keyof typeof languageNames;

export const languages = Object.keys(languageNames) as readonly Language[];

/** The fallback language, also for texts that another language lacks. */
export const fallbackLanguage: Language = 'en-US';

const storageKey = 'LNG';

/** The language closest to a culture such as `it`, `it-CH` or `it-IT`; null when there is none. */
export function languageOf(culture: string | null | undefined): Language | null {
  if (!culture) return null;
  const wanted = culture.toLowerCase();
  const short = wanted.split('-')[0];
  return (
    languages.find((language) => language.toLowerCase() === wanted) ??
    languages.find((language) => language.toLowerCase().split('-')[0] === short) ??
    null
  );
}

/**
 * The display language: the one chosen in this browser, then the account's culture, then the browser's own, then
 * English.
 */
export function chooseLanguage(
  stored: string | null,
  culture: string | null,
  browser: readonly string[],
): Language {
  for (const candidate of [stored, culture, ...browser]) {
    const language = languageOf(candidate);
    if (language !== null) return language;
  }
  return fallbackLanguage;
}

/** The language that the user chose in this browser, or null. */
export function storedLanguage(): string | null {
  return localStorage.getItem(storageKey);
}

/** Stores the language that the user chose. */
export function storeLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
}
