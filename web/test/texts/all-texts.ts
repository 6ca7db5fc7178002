/**
 * All texts of a language, of the pages, the server, the guide and the sample terms, for the tests of their wording.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../src/i18n/languages.ts';

/** The project's folder. */
export const root = join(import.meta.dirname, '../../..');

/** A text with its key, and whether it is one of the pages' errors. */
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
    join(root, 'server/src/texts/receipts', `${language}.json`),
  ];
  const own = paths.flatMap((path) => {
    const texts: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'));
    const isFault = path.endsWith('errors.json');
    return Object.entries(texts).map(([key, text]) => ({ key, text, isFault }));
  });
  return [
    ...own,
    ...linesOf('guide', `server/src/guide/texts/${language}.md`),
    ...linesOf('terms', `server/src/demo/terms/${language}.md`),
  ];
}

/** The lines of a Markdown page without its markup; the first block contains the texts of the page itself. */
function linesOf(name: string, path: string): Text[] {
  const source = readFileSync(join(root, path), 'utf8');
  const lines = source.split('\n').filter((line) => line !== '');
  return lines.map((line, index) => ({
    key: `${name}, line ${index + 1}`,
    text: line
      .replace(/^(#+( [a-z0-9-]+(?= ))?|-|\d+\.|[a-z]+:) /, '')
      .replace(/\]\([^)]*\)|[*`]|!\[/g, ''),
    isFault: false,
  }));
}
