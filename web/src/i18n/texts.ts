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
import type changes from './locales/en-US/changes.json';
import type checks from './locales/en-US/checks.json';
import type encode from './locales/en-US/encode.json';
import type { texts as sharedTexts } from './locales/en-US/index.ts';
import type home from './locales/en-US/home.json';
import type jobs from './locales/en-US/jobs.json';
import type log from './locales/en-US/log.json';
import type notices from './locales/en-US/notices.json';
import type places from './locales/en-US/places.json';
import type preferences from './locales/en-US/preferences.json';
import type settings from './locales/en-US/settings.json';
import type storage from './locales/en-US/storage.json';
import type tray from './locales/en-US/tray.json';
import type utility from './locales/en-US/utility.json';

type EnglishTexts = typeof sharedTexts &
  typeof changes &
  typeof checks &
  typeof encode &
  typeof home &
  typeof jobs &
  typeof log &
  typeof notices &
  typeof places &
  typeof preferences &
  typeof settings &
  typeof storage &
  typeof tray &
  typeof utility;

/** Every key that has a text. */
export type TextKey = keyof EnglishTexts;

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: EnglishTexts };
    keySeparator: false;
    nsSeparator: false;
    returnNull: false;
    interpolationPrefix: '{';
    interpolationSuffix: '}';
  }
}

/** Returns the text of a key, with `{name}` and `{0}` filled in. */
export type TextOf = TFunction;

type Load = () => Promise<Readonly<Record<string, string>>>;

const shared: Readonly<Record<Language, Load>> = {
  'de-DE': async () => (await import('./locales/de-DE/index.ts')).texts,
  'en-US': async () => (await import('./locales/en-US/index.ts')).texts,
  'es-ES': async () => (await import('./locales/es-ES/index.ts')).texts,
  'fr-FR': async () => (await import('./locales/fr-FR/index.ts')).texts,
  'it-IT': async () => (await import('./locales/it-IT/index.ts')).texts,
  'pl-PL': async () => (await import('./locales/pl-PL/index.ts')).texts,
  'pt-BR': async () => (await import('./locales/pt-BR/index.ts')).texts,
  'ru-RU': async () => (await import('./locales/ru-RU/index.ts')).texts,
  'zh-CN': async () => (await import('./locales/zh-CN/index.ts')).texts,
};

/** Texts that only some pages need, which load them. Each is a file in the folder of its language. */
export const textParts = [
  'changes',
  'checks',
  'encode',
  'home',
  'jobs',
  'log',
  'notices',
  'places',
  'preferences',
  'settings',
  'storage',
  'tray',
  'utility',
] as const;
export type TextPart = (typeof textParts)[number];

const needed = new Set<TextPart>();
/** By the path of the file; loaded with the first part, because the list is long. */
let partLoaders: Readonly<Record<string, Load>> = {};
const loaded = new Set<Load>();

/** Loads all texts that the pages opened so far need. */
async function load(language: Language): Promise<void> {
  const parts = [...needed].map((part) => partLoaders[`./locales/${language}/${part}.json`]);
  for (const own of [shared[language], ...parts]) {
    if (own === undefined || loaded.has(own)) continue;
    i18next.addResourceBundle(language, 'translation', await own(), true, true);
    loaded.add(own);
  }
}

/** Loads texts that only some pages need; later changes of the language load them too. */
export async function loadTexts(part: TextPart): Promise<void> {
  needed.add(part);
  ({ partLoaders } = await import('./text-parts.ts'));
  await load(currentLanguage());
}

/** Resolves to the result of `part`, once the named texts are loaded too. */
export async function withTexts<T>(part: Promise<T>, ...names: TextPart[]): Promise<T> {
  const [loadedPart] = await Promise.all([part, ...names.map(loadTexts)]);
  return loadedPart;
}

/** For other languages, English is loaded only when a text is missing. */
function loadFallback(): void {
  if (loaded.has(shared[fallbackLanguage])) return;
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
 * A part of the page whose own texts override shared ones. Under `recoding.utility`, the text of `recoding.encoding` is
 * that of `recoding.utility.encoding` if it exists, and the text of `job.open` that of `recoding.utility.job.open`.
 */
export const OwnWords = createContext<string | null>(null);

/** A text function that prefers the texts under `own`, if it is not null, to the shared ones. */
export function inOwnWords(t: TextOf, own: string | null): TextOf {
  if (own === null) return t;
  const shared = own.slice(0, own.lastIndexOf('.') + 1);
  const choose = (key: unknown): unknown => {
    if (typeof key !== 'string') return key;
    const ownKey = `${own}.${key.startsWith(shared) ? key.slice(shared.length) : key}`;
    return i18next.exists(ownKey) ? ownKey : key;
  };
  return new Proxy(t, {
    apply: (target, self, [key, ...rest]: unknown[]) =>
      Reflect.apply(target, self, [choose(key), ...rest]),
  });
}

/**
 * The text function of the current language, and that language; rerenders when it changes. `own` replaces the texts of
 * the context {@link OwnWords}.
 */
export function useTexts(own?: string | null): { t: TextOf; language: Language } {
  const { t, i18n } = useTranslation();
  const inherited = use(OwnWords);
  return {
    t: inOwnWords(t, own === undefined ? inherited : own),
    // read from i18n: the React Compiler would cache a call without arguments across a change of language
    language: languageOf(i18n.language) ?? fallbackLanguage,
  };
}

/** The current language. */
export function currentLanguage(): Language {
  return languageOf(i18next.language) ?? fallbackLanguage;
}

/** Whether a key has a text, in the current language or in English. */
export function hasText(key: string): key is TextKey {
  return i18next.exists(key);
}
