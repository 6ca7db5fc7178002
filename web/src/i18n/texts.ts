/** The page's texts: the current language, and the typed function that returns the text for a key. */
import { createContext, use, useSyncExternalStore } from 'react';
import { addTexts, fillIn, findText, type Texts, type TextValues } from './catalog.ts';
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

/** The key of a text with a plural form for each number: its texts have the form after an underscore. */
type PluralKey = TextKey extends infer Key
  ? Key extends `${infer Base}_other`
    ? Base
    : never
  : never;

/** Returns the text of a key, with `{name}` and `{0}` filled in, in the plural form of `count`. */
export type TextOf = (key: TextKey | PluralKey, values?: TextValues) => string;

type Load = () => Promise<Texts>;

/** The texts that every page needs, by the path of their first file. */
const sharedLoaders = import.meta.glob<Texts>('./*/shell.json', {
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

/** The current language, and its text function. A new object for each change, so that the page is rendered again. */
interface Current {
  readonly t: TextOf;
  readonly language: Language;
}

let current = textsIn(fallbackLanguage);
const viewers = new Set<() => void>();
const languageListeners = new Set<() => void>();

/** Returns the text of a language, then the English one, then the key between marks. */
function textsIn(language: Language): Current {
  const t: TextOf = (key, values = {}) => {
    for (const one of [language, fallbackLanguage]) {
      const text = findText(one, key, values['count']);
      if (text !== undefined) return fillIn(text, values);
    }
    loadFallback();
    return `##${key}##`;
  };
  return { t, language };
}

/** Loads all texts that the pages opened so far need. */
async function load(language: Language): Promise<void> {
  const parts = [...needed].map((part) => partLoaders[`./${language}/${part}.json`]);
  for (const own of [sharedOf(language), ...parts]) {
    if (own === undefined || loaded.has(own)) continue;
    addTexts(language, await own());
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
  void load(fallbackLanguage).then(() => show(current.language));
}

/** Renders all texts again. */
function show(language: Language): void {
  current = textsIn(language);
  for (const render of viewers) render();
}

/** Listeners may immediately request data in the new language, so the document's language is set first. */
function showLanguage(language: Language): void {
  document.documentElement.lang = language;
  show(language);
  for (const listener of languageListeners) listener();
}

/** Calls the listener on every change of the language after the page has started. */
export function onLanguageChange(listener: () => void): void {
  languageListeners.add(listener);
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
  // before its texts are loaded: the first page asks for its own texts in this language
  current = textsIn(language);
  await load(language);
  show(language);
}

/** Changes to a language that the user chose, and stores it. */
export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  await load(language);
  showLanguage(language);
}

/** Follows the account's culture, unless the user chose a language in this browser. */
export async function followCulture(culture: string | null): Promise<void> {
  const language = languageOf(culture);
  if (storedLanguage() !== null || language === null || language === current.language) return;
  await load(language);
  showLanguage(language);
}

/** The start of the keys of texts that replace shared ones in a part of the page; null: none do. */
export type OwnTexts = 'recoding.utility' | 'recoding.maker' | null;

/** The texts that replace shared ones in this part of the page. */
export const OwnWords = createContext<OwnTexts>(null);

/** The key of the text that replaces a shared one: `recoding.utility.job.open` is shown instead of `job.open`. */
function replacementOf<Key extends string>(key: Key, own: NonNullable<OwnTexts>): Key | TextKey {
  const ownKey = `${own}.${key.replace(/^recoding\./, '')}`;
  return hasText(ownKey) ? ownKey : key;
}

/** A text function that prefers the texts of `own` to the shared ones. */
export function inOwnWords(t: TextOf, own: OwnTexts): TextOf {
  if (own === null) return t;
  return (key, values) => t(replacementOf(key, own), values);
}

/**
 * The text function of the current language, and that language; rerenders when it changes. `own` replaces the texts of
 * the context {@link OwnWords}.
 */
export function useTexts(own?: OwnTexts): { t: TextOf; language: Language } {
  const { t, language } = useSyncExternalStore(subscribe, read, read);
  const inherited = use(OwnWords);
  return { t: inOwnWords(t, own === undefined ? inherited : own), language };
}

function subscribe(render: () => void): () => void {
  viewers.add(render);
  return () => viewers.delete(render);
}

function read(): Current {
  return current;
}

/** The text function of the current language; components use {@link useTexts}, which renders them again. */
export function currentTexts(): TextOf {
  return current.t;
}

/** The current language. */
export function currentLanguage(): Language {
  return current.language;
}

/** Whether a key has a text, in the current language or in English. */
export function hasText(key: string): key is TextKey {
  return [current.language, fallbackLanguage].some((one) => findText(one, key) !== undefined);
}
