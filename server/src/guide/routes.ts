/** Serves the user guide under `/guide/{language}`, with its pictures: public, the same for everybody. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Asset, html, readAsset, serveAssets } from '../http/plain-page.ts';
import { chooseLanguage, textsByLocale } from '../texts/texts.ts';
import { type GuideLanguage, renderGuide } from './guide-page.ts';
import { type DrawPicture, readGuide } from './guide-text.ts';
import sizes from './pictures/sizes.json' with { type: 'json' };

const folder = import.meta.dirname;

/** Every language of the product; the address bears its first two letters. */
export const guideLanguages: readonly GuideLanguage[] = [...textsByLocale.keys()].map((locale) => ({
  locale,
  short: locale.slice(0, 2),
}));

/** The pictures of a language, each drawn where its text names it. */
function pictureDesk(locale: string): { readonly draw: DrawPicture; readonly used: Asset[] } {
  const used: Asset[] = [];
  const known: Readonly<Record<string, readonly number[]>> = sizes;
  return {
    used,
    draw(name, alt) {
      const path = join(folder, 'pictures', `${name}.${locale}.webp`);
      const [width, height] = known[`${name}.${locale}`] ?? [];
      if (width === undefined || height === undefined || !existsSync(path)) return null;
      const asset = readAsset(path, `guide-${name}-${locale}`, 'image/webp');
      used.push(asset);
      return html`<figure><img src="${asset.path}" alt="${alt}" width="${String(width)}" height="${String(height)}" loading="lazy"></figure>`;
    },
  };
}

/** Adds the guide. A language that there is none of is answered in English. */
export function serveGuide(app: FastifyInstance): void {
  const pages = new Map(
    guideLanguages.map(({ locale }) => {
      const { draw, used } = pictureDesk(locale);
      const source = readFileSync(join(folder, 'texts', `${locale}.md`), 'utf8');
      const page = renderGuide(readGuide(source, draw), locale, {
        address: '/guide',
        languages: guideLanguages,
      });
      serveAssets(app, used);
      return [locale, page];
    }),
  );
  app.get('/guide', async (request, reply) => {
    const { locale } = chooseLanguage(request.headers['accept-language']);
    return reply.redirect(`/guide/${locale.slice(0, 2)}`);
  });
  app.get<{ Params: { language: string } }>('/guide/:language', async (request, reply) => {
    const { locale } = chooseLanguage(undefined, [request.params.language]);
    return reply
      .header('content-language', locale)
      .header('cache-control', 'public, max-age=300')
      .type('text/html; charset=utf-8')
      .send(pages.get(locale));
  });
}
