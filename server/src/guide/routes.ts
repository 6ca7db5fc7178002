/** Serves the user guide under `/guide/{language}`, with its pictures: public, the same for all users. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { html, readAsset, serveAssets } from '../http/pages/plain-page.ts';
import { chooseLanguage, textsByLocale } from '../texts/texts.ts';
import { type GuideLanguage, renderGuide } from './guide-page.ts';
import { type DrawPicture, readGuide } from './guide-text.ts';
import sizes from './pictures/sizes.json' with { type: 'json' };

/** Every language of the product; the URL contains its first two letters. */
const guideLanguages: readonly GuideLanguage[] = [...textsByLocale.keys()].map((locale) => ({
  locale,
  short: locale.slice(0, 2),
}));

/** Serves the pictures; returns the function that draws those of a language. */
function servePictures(app: FastifyInstance): (locale: string) => DrawPicture {
  const folder = join(import.meta.dirname, 'pictures');
  const pictures = new Map(
    Object.entries<readonly number[]>(sizes).map(([name, size]) => {
      const address = `guide-${name.replace('.', '-')}`;
      const asset = readAsset(join(folder, `${name}.webp`), address, 'image/webp');
      return [name, { asset, size: size.map(String) }];
    }),
  );
  serveAssets(
    app,
    [...pictures.values()].map(({ asset }) => asset),
  );
  return (locale) => (name, alt) => {
    const { asset, size: [width = '', height = ''] = [] } = pictures.get(`${name}.${locale}`) ?? {};
    if (asset === undefined) return null;
    return html`<figure><img src="${asset.path}" alt="${alt}" width="${width}" height="${height}" loading="lazy"></figure>`;
  };
}

/**
 * Serves the texts of a folder, `{locale}.md`, as pages under a path, which itself redirects to the reader's language.
 * An unknown language gets the English page. A page is rendered on its first request.
 */
export function serveTexts(
  app: FastifyInstance,
  address: string,
  folder: string,
  draw: (locale: string) => DrawPicture = () => () => null,
): void {
  const pages = new Map<string, string>();
  const makePage = (locale: string): string => {
    const guide = readGuide(readFileSync(join(folder, `${locale}.md`), 'utf8'), draw(locale));
    const page = renderGuide(guide, locale, { address, languages: guideLanguages });
    pages.set(locale, page);
    return page;
  };
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
      .send(pages.get(locale) ?? makePage(locale));
  });
}

/** Adds the guide. */
export function serveGuide(app: FastifyInstance): void {
  serveTexts(app, '/guide', join(import.meta.dirname, 'texts'), servePictures(app));
}
