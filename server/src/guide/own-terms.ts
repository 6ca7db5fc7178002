/** The operator's own terms of use under `/terms/{language}`: public, in the languages for which there is a file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { CannotStart } from '../config/cannot-start.ts';
import { readPlainText } from './guide-text.ts';
import { guideLanguages, readWords, servePages } from './routes.ts';

const address = '/terms';

/** The link to the terms, with a placeholder for the reader's language. */
export function ownTermsLink(publicUrl: string): string {
  return `${publicUrl}${address}/{language}`;
}

/**
 * Serves the texts of a folder, which are read once: what users accept does not change while the portal runs.
 * @throws {CannotStart} if the folder has no text
 */
export function serveOwnTerms(app: FastifyInstance, folder: string): void {
  const names = listNames(folder);
  const found = guideLanguages.filter(({ short }) => names.includes(`${short}.md`));
  // readers of other languages get the first one
  const languages = found.toSorted(
    (one, other) => Number(other.short === 'en') - Number(one.short === 'en'),
  );
  if (languages.length === 0) {
    throw new CannotStart(
      `RECODERY_TERMS_DIR must be a folder with a file for at least one language, such as en.md: there is none in ${folder}.`,
    );
  }
  const texts = new Map(
    languages.map(({ locale, short }) => {
      const source = readFileSync(join(folder, `${short}.md`), 'utf8');
      return [locale, readPlainText(source, readWords(locale))];
    }),
  );
  servePages(app, { address, languages }, (locale) => {
    const text = texts.get(locale);
    if (text === undefined) throw new Error(`there are no terms in ${locale}`);
    return text;
  });
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
