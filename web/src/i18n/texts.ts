/** The texts of the page: which language is in force, and the typed function that gives a text for a key. */
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

/** Gives the text of a key, with `{name}` and `{0}` filled. */
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

/** English is loaded for another language only once a text turns out to be missing there. */
function loadFallback(): void {
  if (i18next.hasResourceBundle(fallbackLanguage, 'translation')) return;
  void load(fallbackLanguage).then(() => i18next.changeLanguage(i18next.language));
}

/** Whoever hears of the change may already ask in the new language: the document says it first. */
async function showLanguage(language: Language): Promise<void> {
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}

/** Tells of every change of the language, once the page has begun. */
export function onLanguageChange(listener: () => void): void {
  i18next.on('languageChanged', listener);
}

/**
 * Says in the document which language the page begins with, and gives it. The first calls already ask in that language,
 * before its texts have come.
 */
export function beginLanguage(culture: string | null = null): Language {
  const language = chooseLanguage(storedLanguage(), culture, navigator.languages);
  document.documentElement.lang = language;
  return language;
}

/** Loads the texts of the language in force; the page is drawn after this. */
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

/** Changes to a language chosen by hand, and remembers it. */
export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  await load(language);
  await showLanguage(language);
}

/** Follows the account's culture, unless a language was chosen by hand in this browser. */
export async function followCulture(culture: string | null): Promise<void> {
  const language = languageOf(culture);
  if (storedLanguage() !== null || language === null || language === i18next.language) return;
  await load(language);
  await showLanguage(language);
}

/**
 * A part of the page that has words of its own for what others say too: under `recoding.utility` the text of
 * `recoding.encoding` is that of `recoding.utility.encoding` where there is one.
 */
export const OwnWords = createContext<string | null>(null);

/** A text function that prefers the texts under `own` to those beside it. */
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

/** The text function of the language in force, and that language; draws anew when it changes. */
export function useTexts(): { t: TextOf; language: Language } {
  const { t, i18n } = useTranslation();
  const own = use(OwnWords);
  return {
    t: own === null ? t : inOwnWords(t, own),
    // read from i18n: the React Compiler would cache a call without arguments beyond a change of language
    language: languageOf(i18n.language) ?? fallbackLanguage,
  };
}

/** The language in force. */
export function languageInForce(): Language {
  return languageOf(i18next.language) ?? fallbackLanguage;
}

/** Whether a key has a text, in the language in force or in English. */
export function hasText(key: string): key is TextKey {
  return i18next.exists(key);
}
