/** The page's texts: the current language, and the typed function that returns the text for a key. */
import i18next, { type TFunction } from 'i18next';
import { createContext, use } from 'react';
import { initReactI18next, useTranslation } from 'react-i18next';
import {
  chooseLanguage,
  fallbackLanguage,
  type Language,
  languageOf,
  storedLanguage,
  storeLanguage,
} from './languages.ts';
import type { texts as englishTexts } from './locales/en-US/index.ts';

/** Every key that has a text. */
export type TextKey = keyof typeof englishTexts;

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof englishTexts };
    keySeparator: false;
    nsSeparator: false;
    returnNull: false;
    interpolationPrefix: '{';
    interpolationSuffix: '}';
  }
}

/** Returns the text of a key, with `{name}` and `{0}` filled in. */
export type TextOf = TFunction;

const loaders: Readonly<Record<Language, () => Promise<{ texts: Record<string, string> }>>> = {
  'de-DE': () => import('./locales/de-DE/index.ts'),
  'en-US': () => import('./locales/en-US/index.ts'),
  'es-ES': () => import('./locales/es-ES/index.ts'),
  'fr-FR': () => import('./locales/fr-FR/index.ts'),
  'it-IT': () => import('./locales/it-IT/index.ts'),
  'pl-PL': () => import('./locales/pl-PL/index.ts'),
  'pt-BR': () => import('./locales/pt-BR/index.ts'),
  'ru-RU': () => import('./locales/ru-RU/index.ts'),
  'zh-CN': () => import('./locales/zh-CN/index.ts'),
};

async function load(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  const { texts } = await loaders[language]();
  i18next.addResourceBundle(language, 'translation', texts);
}

/** For other languages, English is loaded only when a text is missing. */
function loadFallback(): void {
  if (i18next.hasResourceBundle(fallbackLanguage, 'translation')) return;
  void load(fallbackLanguage).then(() => i18next.changeLanguage(i18next.language));
}

/** Subscribers may immediately request data in the new language, so the document's language is set first. */
async function showLanguage(language: Language): Promise<void> {
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}

/** Calls the listener on every change of the language after the page has started. */
export function onLanguageChange(listener: () => void): void {
  i18next.on('languageChanged', listener);
}

/**
 * Sets the document's initial language and returns it. The first calls already use that language, before its texts are
 * loaded.
 */
export function beginLanguage(culture: string | null = null): Language {
  const language = chooseLanguage(storedLanguage(), culture, navigator.languages);
  document.documentElement.lang = language;
  return language;
}

/** Loads the texts of the current language; the page is rendered after this. */
export async function startTexts(culture: string | null): Promise<void> {
  const language = beginLanguage(culture);
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: fallbackLanguage,
    resources: {},
    partialBundledLanguages: true,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    parseMissingKeyHandler: (key) => {
      loadFallback();
      return `##${key}##`;
    },
    react: { useSuspense: false },
  });
  await load(language);
  await showLanguage(language);
}

/** Changes to a language that the user chose, and stores it. */
export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  await load(language);
  await showLanguage(language);
}

/** Follows the account's culture, unless the user chose a language in this browser. */
export async function followCulture(culture: string | null): Promise<void> {
  const language = languageOf(culture);
  if (storedLanguage() !== null || language === null || language === i18next.language) return;
  await load(language);
  await showLanguage(language);
}

/**
 * A part of the page whose own texts override shared ones: under `recoding.utility` the text of `recoding.encoding` is
 * that of `recoding.utility.encoding` if it exists.
 */
export const OwnWords = createContext<string | null>(null);

/** A text function that prefers the texts under `own` to the shared ones. */
export function inOwnWords(t: TextOf, own: string): TextOf {
  const shared = own.slice(0, own.lastIndexOf('.') + 1);
  const choose = (key: unknown): unknown => {
    if (typeof key !== 'string' || !key.startsWith(shared)) return key;
    const ownKey = `${own}.${key.slice(shared.length)}`;
    return i18next.exists(ownKey) ? ownKey : key;
  };
  return new Proxy(t, {
    apply: (target, self, [key, ...rest]: unknown[]) =>
      Reflect.apply(target, self, [choose(key), ...rest]),
  });
}

/** The text function of the current language, and that language; rerenders when it changes. */
export function useTexts(): { t: TextOf; language: Language } {
  const { t, i18n } = useTranslation();
  const own = use(OwnWords);
  return {
    t: own === null ? t : inOwnWords(t, own),
    // read from i18n: the React Compiler would cache a call without arguments across a change of language
    language: languageOf(i18n.language) ?? fallbackLanguage,
  };
}

/** The current language. */
export function languageInForce(): Language {
  return languageOf(i18next.language) ?? fallbackLanguage;
}

/** Whether a key has a text, in the current language or in English. */
export function hasText(key: string): key is TextKey {
  return i18next.exists(key);
}
