/** The demo's sample terms of use, under `/sample-terms/{language}`: public, in every language, marked as a sample. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { renderGuide } from '../guide/guide-page.ts';
import { readGuide } from '../guide/guide-text.ts';
import { guideLanguages } from '../guide/routes.ts';
import { chooseLanguage } from '../texts/texts.ts';

const address = '/sample-terms';

/** The link to the sample terms, with a place for the reader's language. */
export function sampleTermsLink(publicUrl: string): string {
  return `${publicUrl}${address}/{language}`;
}

/** Serves the sample terms. A language that does not exist is answered in English. */
export function serveSampleTerms(app: FastifyInstance): void {
  const pages = new Map(
    guideLanguages.map(({ locale }) => {
      const source = readFileSync(join(import.meta.dirname, 'terms', `${locale}.md`), 'utf8');
      const terms = readGuide(source, () => null);
      return [locale, renderGuide(terms, locale, { address, languages: guideLanguages })];
    }),
  );
  app.get(address, async (request, reply) => {
    const { locale } = chooseLanguage(request.headers['accept-language']);
    return reply.redirect(`${address}/${locale.slice(0, 2)}`);
  });
  app.get<{ Params: { language: string } }>(`${address}/:language`, async (request, reply) => {
    const { locale } = chooseLanguage(undefined, [request.params.language]);
    return reply
      .header('content-language', locale)
      .header('cache-control', 'public, max-age=300')
      .type('text/html; charset=utf-8')
      .send(pages.get(locale));
  });
}
