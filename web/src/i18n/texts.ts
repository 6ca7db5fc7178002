/** The page's texts: the current language, and the typed function that returns the text for a key. */
import i18next, { type TFunction, type TOptions } from 'i18next';
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

/** The texts of a file in the folder of each language, in English. */
interface SharedTexts {
  shell: typeof import('./locales/en-US/shell.json');
  recoding: typeof import('./locales/en-US/recoding.json');
  errors: typeof import('./locales/en-US/errors.json');
}

/** Texts that only some pages need, which load them. Each is a file in the folder of its language. */
interface PartTexts {
  account: typeof import('./locales/en-US/account.json');
  admin: typeof import('./locales/en-US/admin.json');
  changes: typeof import('./locales/en-US/changes.json');
  checks: typeof import('./locales/en-US/checks.json');
  directory: typeof import('./locales/en-US/directory.json');
  device: typeof import('./locales/en-US/device.json');
  encode: typeof import('./locales/en-US/encode.json');
  home: typeof import('./locales/en-US/home.json');
  images: typeof import('./locales/en-US/images.json');
  jobs: typeof import('./locales/en-US/jobs.json');
  log: typeof import('./locales/en-US/log.json');
  foreign: typeof import('./locales/en-US/foreign.json');
  misfit: typeof import('./locales/en-US/misfit.json');
  notices: typeof import('./locales/en-US/notices.json');
  notifications: typeof import('./locales/en-US/notifications.json');
  places: typeof import('./locales/en-US/places.json');
  preferences: typeof import('./locales/en-US/preferences.json');
  settings: typeof import('./locales/en-US/settings.json');
  storage: typeof import('./locales/en-US/storage.json');
  tray: typeof import('./locales/en-US/tray.json');
  utility: typeof import('./locales/en-US/utility.json');
}

export type TextPart = keyof PartTexts;

type Together<T> = T extends unknown ? (each: T) => void : never;
type AllOf<T> = Together<T> extends (all: infer All) => void ? All : never;
type EnglishTexts = AllOf<SharedTexts[keyof SharedTexts] | PartTexts[TextPart]>;

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

/** The texts that every page needs, by the path of their first file. */
const sharedLoaders = import.meta.glob<Readonly<Record<string, string>>>('./*/shell.json', {
  base: './locales',
  query: '?with=recoding,errors',
  import: 'default',
});

const sharedOf = (language: Language): Load | undefined =>
  sharedLoaders[`./${language}/shell.json`];

const needed = new Set<TextPart>();
/** By the path of the file; loaded with the first part, because the list is long. */
let partLoaders: Readonly<Record<string, Load>> = {};
const loaded = new Set<Load>();

/** Loads all texts that the pages opened so far need. */
async function load(language: Language): Promise<void> {
  const parts = [...needed].map((part) => partLoaders[`./${language}/${part}.json`]);
  for (const own of [sharedOf(language), ...parts]) {
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
  const own = sharedOf(fallbackLanguage);
  if (own === undefined || loaded.has(own)) return;
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

/** The start of the keys of texts that replace shared ones in a part of the page; null: none do. */
export type OwnTexts = 'recoding.utility' | 'recoding.maker' | null;

/** The texts that replace shared ones in this part of the page. */
export const OwnWords = createContext<OwnTexts>(null);

/** The key of the text that replaces a shared one: `recoding.utility.job.open` is shown instead of `job.open`. */
function replacementOf(key: TextKey, own: NonNullable<OwnTexts>): TextKey {
  const ownKey = `${own}.${key.replace(/^recoding\./, '')}`;
  return hasText(ownKey) ? ownKey : key;
}

/** A text function that prefers the texts of `own` to the shared ones. */
export function inOwnWords(t: TextOf, own: OwnTexts): TextOf {
  if (own === null) return t;
  const inOwn = (key: TextKey, values: TOptions = {}): string => t(replacementOf(key, own), values);
  // the brand exists only in the library's types
  return Object.assign(inOwn, { $TFunctionBrand: 'translation' } as const) as TextOf;
}

/**
 * The text function of the current language, and that language; rerenders when it changes. `own` replaces the texts of
 * the context {@link OwnWords}.
 */
export function useTexts(own?: OwnTexts): { t: TextOf; language: Language } {
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
