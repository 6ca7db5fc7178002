/** The operator's own terms of use under `/terms/{language}`: public, in the languages for which there is a text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { CannotStart } from '../config/cannot-start.ts';
import { type GuideLanguage, renderGuide } from './guide-page.ts';
import { readPlainText } from './guide-text.ts';
import { choosePageLanguage, guideLanguages, readWords } from './routes.ts';

const address = '/terms';

/** Texts in Markdown by the two letters of their language. */
export type TermsFiles = Readonly<Record<string, string>>;

/** The link to the terms, with a placeholder for the reader's language. */
export function ownTermsLink(publicUrl: string): string {
  return `${publicUrl}${address}/{language}`;
}

/**
 * Reads the texts of a folder, once: what users accept does not change while the portal runs.
 * @throws {CannotStart} if the folder has no text
 */
export function readTermsFolder(folder: string): TermsFiles {
  const names = listNames(folder);
  const found = guideLanguages.filter(({ short }) => names.includes(`${short}.md`));
  if (found.length === 0) {
    throw new CannotStart(
      `RECODERY_TERMS_DIR must be a folder with a file for at least one language, such as en.md: there is none in ${folder}.`,
    );
  }
  return Object.fromEntries(
    found.map(({ short }) => [short, readFileSync(join(folder, `${short}.md`), 'utf8')]),
  );
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The page of a text in a language. `languages` are those that the page links to. */
export function renderTerms(
  text: string,
  locale: string,
  languages: readonly GuideLanguage[],
): string {
  const guide = readPlainText(text, readWords(locale));
  return renderGuide(guide, locale, { address, languages });
}

/** The languages of the texts. Readers of all others get the first one. */
function languagesOf(texts: TermsFiles): readonly GuideLanguage[] {
  const found = guideLanguages.filter(({ short }) => Object.hasOwn(texts, short));
  return found.toSorted((one, other) => Number(other.short === 'en') - Number(one.short === 'en'));
}

/** Serves the texts that apply when a reader asks for them; without any, there is no page. */
export function serveOwnTerms(app: FastifyInstance, readTexts: () => Promise<TermsFiles>): void {
  app.get(address, async (request, reply) => {
    const languages = languagesOf(await readTexts());
    if (languages.length === 0) return reply.callNotFound();
    const { short } = choosePageLanguage(languages, request.headers['accept-language']);
    return reply.redirect(`${address}/${short}`);
  });
  app.get<{ Params: { language: string } }>(`${address}/:language`, async (request, reply) => {
    const texts = await readTexts();
    const languages = languagesOf(texts);
    const { locale, short } = choosePageLanguage(languages, undefined, [request.params.language]);
    const text = texts[short];
    if (text === undefined) return reply.callNotFound();
    return (
      reply
        .header('content-language', locale)
        // a new version applies at once
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(renderTerms(text, locale, languages))
    );
  });
}
