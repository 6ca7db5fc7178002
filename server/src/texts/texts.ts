/**
 * The server's own texts (sign-in pages, notifications, emails, the public page) in nine languages, and how one is
 * chosen.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cultures } from '@recodery/contract/cultures';
import { languageHeader } from '@recodery/contract/headers';
import Negotiator from 'negotiator';
import en from './en-US.json' with { type: 'json' };
import enReceipts from './receipts/en-US.json' with { type: 'json' };

/** The key of a text. */
export type ServerTextKey = keyof typeof en | keyof typeof enReceipts;

/** The texts of one language; placeholders are written `{0}`, `{1}`. */
export type ServerTexts = Readonly<Record<ServerTextKey, string>>;

function readTexts(locale: string): ServerTexts {
  const files = [`${locale}.json`, `receipts/${locale}.json`];
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
  return Object.assign({}, ...files.map((file) => JSON.parse(read(file))));
}

/** Every language, by its tag; English first, because it is the fallback. */
export const textsByLocale: ReadonlyMap<string, ServerTexts> = new Map(
  cultures.map((locale) => [locale, readTexts(locale)]),
);

/** Every language by the two letters that URLs and commands use, in their order. */
export const shortLanguages: readonly string[] = [...textsByLocale.keys()]
  .map((locale) => locale.slice(0, 2))
  .toSorted();

/** A language with its texts. */
export interface Localization {
  readonly locale: string;
  readonly texts: ServerTexts;
}

/** Fills the placeholders of a text. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (place, index) => String(values[Number(index)] ?? place));
}

/**
 * The language of a response: the first available one of the `wanted` tags, then of the `Accept-Language` header, else
 * English. Only the language counts, not its country: `de-AT` gets German.
 */
export function negotiateLanguage(
  acceptLanguage: string | undefined,
  wanted: readonly string[] = [],
): Localization {
  const accepted = new Negotiator({ headers: { 'accept-language': acceptLanguage } });
  for (const tag of [...wanted, ...accepted.languages()]) {
    const language = tag.toLowerCase().split('-', 1).join('');
    for (const [locale, texts] of textsByLocale)
      if (locale.startsWith(`${language}-`)) return { locale, texts };
  }
  return { locale: 'en-US', texts: { ...en, ...enReceipts } };
}

/**
 * The language of a response to a caller: the page's, then the account's `culture`, then the browser's, else English.
 */
export function languageFor(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  culture: string | null,
): Localization {
  const shown = headers[languageHeader.toLowerCase()];
  const wanted = [shown, culture].filter((tag) => typeof tag === 'string');
  return negotiateLanguage(String(headers['accept-language'] ?? ''), wanted);
}
