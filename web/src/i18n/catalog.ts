/** The loaded texts of each language, how one is found, and how values are filled in. */
import type { Language } from './languages.ts';

/** Texts by key; those with plural forms have the form after an underscore. */
export type Texts = Readonly<Record<string, string>>;

/** What a text has in braces. A number named `count` chooses the plural form. */
export type TextValues = Readonly<Record<string, string | number | undefined>>;

const catalogs = new Map<Language, Map<string, string>>();
const pluralRules = new Map<Language, Intl.PluralRules>();

/** Adds texts of a language to those that are loaded; a text replaces an earlier one of the same key. */
export function addTexts(language: Language, texts: Texts): void {
  const earlier = catalogs.get(language) ?? [];
  catalogs.set(language, new Map([...earlier, ...Object.entries(texts)]));
}

/** The text of a key, in the plural form of `count` if it has one; undefined: not loaded, or there is none. */
export function findText(
  language: Language,
  key: string,
  count?: TextValues[string],
): string | undefined {
  const catalog = catalogs.get(language);
  const plural =
    typeof count === 'number' ? catalog?.get(`${key}_${pluralForm(language, count)}`) : undefined;
  return plural ?? catalog?.get(key);
}

function pluralForm(language: Language, count: number): Intl.LDMLPluralRule {
  const rules = pluralRules.get(language) ?? new Intl.PluralRules(language);
  pluralRules.set(language, rules);
  return rules.select(count);
}

/** Replaces `{name}` by the value of this name, if there is one. A value with braces remains as it is. */
export function fillIn(text: string, values: TextValues): string {
  return text.replaceAll(/\{(\w+)\}/g, (braces, name: string) =>
    Object.hasOwn(values, name) ? String(values[name] ?? '') : braces,
  );
}
