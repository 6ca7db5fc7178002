/** All texts of a language, those of the pages and those of the server, as the tests on words read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../src/i18n/languages.ts';

/** The project's folder. */
export const root = join(import.meta.dirname, '../..');

/** A text with its key, and whether it is one of the pages' faults. */
export interface Text {
  readonly key: string;
  readonly text: string;
  readonly isFault: boolean;
}

/** Every text of a language. */
export function allTexts(language: Language): Text[] {
  const folder = join(root, 'web/src/i18n/locales', language);
  const parts = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const paths = [
    ...parts.map((name) => join(folder, name)),
    join(root, 'server/src/texts', `${language}.json`),
  ];
  return paths.flatMap((path) => {
    const texts: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'));
    const isFault = path.endsWith('errors.json');
    return Object.entries(texts).map(([key, text]) => ({ key, text, isFault }));
  });
}
