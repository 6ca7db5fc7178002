/** The page's own texts, so that a script finds its buttons in every language. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the text of a key in the locale, with its placeholders unfilled; the key if there is none. */
export type TextOf = (key: string) => string;

/** The texts of a language, such as `it-IT`. */
export function textsOf(language: string): TextOf {
  const folder = join(import.meta.dirname, '../web/src/i18n/locales', language);
  const parts = readdirSync(folder)
    .filter((file) => file.endsWith('.json') && !/^(sign-in|verify)\.json$/.test(file))
    .map((file): Record<string, string> => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  const texts: Record<string, string> = Object.assign({}, ...parts);
  return (key) => texts[key] ?? key;
}
