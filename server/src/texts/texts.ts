/**
 * The server's own texts (sign-in pages, notifications, emails, the public page) in nine languages, and how one is
 * chosen.
 */
import { languageHeader } from '@recodery/contract/headers';
import Negotiator from 'negotiator';
import de from './de-DE.json' with { type: 'json' };
import en from './en-US.json' with { type: 'json' };
import es from './es-ES.json' with { type: 'json' };
import fr from './fr-FR.json' with { type: 'json' };
import it from './it-IT.json' with { type: 'json' };
import pl from './pl-PL.json' with { type: 'json' };
import pt from './pt-BR.json' with { type: 'json' };
import ru from './ru-RU.json' with { type: 'json' };
import zh from './zh-CN.json' with { type: 'json' };
import deReceipts from './receipts/de-DE.json' with { type: 'json' };
import enReceipts from './receipts/en-US.json' with { type: 'json' };
import esReceipts from './receipts/es-ES.json' with { type: 'json' };
import frReceipts from './receipts/fr-FR.json' with { type: 'json' };
import itReceipts from './receipts/it-IT.json' with { type: 'json' };
import plReceipts from './receipts/pl-PL.json' with { type: 'json' };
import ptReceipts from './receipts/pt-BR.json' with { type: 'json' };
import ruReceipts from './receipts/ru-RU.json' with { type: 'json' };
import zhReceipts from './receipts/zh-CN.json' with { type: 'json' };

/** The key of a text. */
export type ServerTextKey = keyof typeof en | keyof typeof enReceipts;

/** The texts of one language; placeholders are written `{0}`, `{1}`. */
export type ServerTexts = Readonly<Record<ServerTextKey, string>>;

/** Every language, by its tag; English first, because it is the fallback. */
export const textsByLocale: ReadonlyMap<string, ServerTexts> = new Map<string, ServerTexts>([
  ['en-US', { ...en, ...enReceipts }],
  ['de-DE', { ...de, ...deReceipts }],
  ['es-ES', { ...es, ...esReceipts }],
  ['fr-FR', { ...fr, ...frReceipts }],
  ['it-IT', { ...it, ...itReceipts }],
  ['pt-BR', { ...pt, ...ptReceipts }],
  ['zh-CN', { ...zh, ...zhReceipts }],
  ['pl-PL', { ...pl, ...plReceipts }],
  ['ru-RU', { ...ru, ...ruReceipts }],
]);

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
